import PushModel

/// The rows, by who prints them.
enum MessageRows {}

extension MessageRows {
  /// What the phone's push daemon says.
  static let daemon: [MessageShape] = [
    MessageShape(
      .systemDaemonReceived, "Received message for enabled topic '{app}'", by: ["apsd"],
      fields: [
        .init("onInterface:", .interface, .word), .init("with priority", .priority, .integer),
      ],
      .received, .done, step: .pathToDevice, .published,
      sample: """
        Received message for enabled topic 'com.example.courier' with payload '<private>' \
        onInterface: NonCellular with priority 10 for device token: NO
        """),
    MessageShape(
      .systemDaemonStored, "asked to store incoming message ... with guid", by: ["apsd"],
      fields: [.init("environment", .environment, .word)],
      .received, .done, step: .pathToDevice, .published,
      sample: "asked to store incoming message <private> with guid 17 environment production"),
    MessageShape(
      .systemWatchOnly, "message is for proxy slave that is *not* connected", by: ["apsd"],
      .received, .note, .published,
      sample: "message is for proxy slave that is *not* connected"),
    MessageShape(
      .systemDaemonAcknowledged,
      "Sending acknowledgement message with response {status:integer} and messageId", by: ["apsd"],
      .received, .done, step: .pathToDevice, .published,
      sample: "Sending acknowledgement message with response 0 and messageId 42"),
    MessageShape(
      .systemTopicsChanged, "for unregistered app", by: ["apsd"], needsProcess: true,
      says: [.state: .unregistered], .received, .note, step: .tokenCurrent, .dump,
      sample: "Dropping message for unregistered app com.example.courier"),
    MessageShape(
      .systemTopicsChanged, "Flush per-app tokens", by: ["apsd"],
      .received, .note, step: .tokenCurrent, .dump, sample: "Flush per-app tokens"),
    MessageShape(
      .systemTopicsChanged, "Move topics from", by: ["apsd"], needsProcess: true,
      .received, .note, step: .tokenCurrent, .dump,
      sample: "Move topics from enabled to ignored"),
    MessageShape(
      .systemHandedOver, "didReceiveIncomingMessage", .received, .done, step: .pathToDevice,
      .published, sample: "<APSConnection: 0x1> didReceiveIncomingMessage"),
    MessageShape(
      .systemHandedOver, "Delivering message from apsd", .received, .done, step: .pathToDevice,
      .published, sample: "Delivering message from apsd to delegate"),
    MessageShape(
      .systemHandedOver, "responding with an ack for message with guid", .received, .done,
      step: .pathToDevice, .published, sample: "responding with an ack for message with guid 17"),
  ]
}
