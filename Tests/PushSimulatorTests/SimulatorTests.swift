import Foundation
import PushSimulator
import Testing

@Suite struct SimulatorTests {
  @Test func sameSeedGivesTheSameBytesWhateverTheNumberOfThreads() throws {
    var configuration = SimulatorConfiguration(notifications: 3000, seed: 11, workers: 1)
    let one = try Corpus(configuration)
    configuration.workers = 3
    let three = try Corpus(configuration)
    #expect(one.summary == three.summary)
    #expect(one.provider == three.provider)
    #expect(one.device == three.device)
    #expect(one.truth == three.truth)
    #expect(one.facts == three.facts)
  }

  @Test func anotherSeedGivesOtherLines() throws {
    let one = try Corpus(SimulatorConfiguration(notifications: 200, seed: 1))
    let two = try Corpus(SimulatorConfiguration(notifications: 200, seed: 2))
    #expect(one.provider != two.provider)
  }

  @Test(arguments: [1, 39, 2000]) func theTruthHasOneLineForEachNotification(_ count: Int) throws {
    let corpus = try Corpus(SimulatorConfiguration(notifications: count, seed: 5))
    #expect(corpus.truth.count == count)
    #expect(corpus.summary.notifications == count)
    #expect(
      corpus.summary.files.map(\.lines).prefix(3)
        == [corpus.provider.count, corpus.device.count, corpus.truth.count])
  }

  @Test func everyLineIsAJSONObject() throws {
    let corpus = try Shared.corpus.get()
    for line in corpus.provider {
      let object = try Corpus.object(line)
      #expect(object["ts"] is String && object["status"] is Int)
    }
    for line in corpus.device {
      let object = try Corpus.object(line)
      #expect(object["ts"] != nil && object["event"] is String)
    }
    let facts = try JSONSerialization.jsonObject(with: corpus.facts) as? [String: Any]
    #expect((facts?["releases"] as? [Any])?.count == 10)
  }

  @Test func everyCauseOccursInTwentyThousandNotifications() throws {
    let summary = try Shared.corpus.get().summary
    let found = Set(summary.causes.map(\.cause))
    for cause in PlantedCause.allCases { #expect(found.contains(cause), "\(cause.id)") }
    #expect(summary.broken == summary.causes.reduce(0) { $0 + $1.count })
  }

  @Test func senderFaultsComeAsOftenAsPlanted() throws {
    // Planted in parts of a million of all notifications; bounds are four standard deviations of
    // a count with that mean (square root of the mean), at 20,000.
    let planted: [(PlantedCause, Double)] = [
      (.providerAuthInvalid, 2200), (.tokenEnvMismatch, 3200), (.tokenWrongSystem, 1300),
      (.apnsThrottled, 1800),
    ]
    let counts = Dictionary(
      uniqueKeysWithValues: try Shared.corpus.get().summary.causes.map { ($0.cause, $0.count) })
    for (cause, partsPerMillion) in planted {
      let mean = partsPerMillion * Double(Shared.notifications) / 1_000_000
      let found = Double(counts[cause] ?? 0)
      #expect(abs(found - mean) < 4 * mean.squareRoot(), "\(cause.id): \(found) of \(mean)")
    }
  }

  @Test func aboutOneNotificationInNineIsBroken() throws {
    let summary = try Shared.corpus.get().summary
    let share = Double(summary.broken) / Double(summary.notifications)
    #expect((0.09...0.14).contains(share))
  }

  @Test func aPhoneGetsFiveADayAndAHeavyOneSomeFifty() throws {
    var perPhone: [String: Int] = [:]
    for line in try Shared.truth.get() { perPhone[line.deviceID, default: 0] += 1 }
    let mean = Double(Shared.notifications) / Double(perPhone.count)
    // Five a day over eight days.
    #expect((36...44).contains(mean))
    // Forty to sixty a day over eight days.
    let heavy = perPhone.values.filter { $0 >= 320 }.count
    #expect((3...7).contains(heavy))
    #expect(perPhone.values.max() ?? 0 <= 480)
  }

  @Test func oneArrivalInFiftyIsLate() throws {
    let truth = try Shared.truth.get()
    let late = truth.filter { $0.defects.contains("late_arrival") }.count
    let share = Double(late) / Double(truth.count)
    #expect((0.01...0.03).contains(share), "\(share)")
  }

  @Test func sendsOfOneNotificationShareItsIDAndHaveFreshAPNsIDs() throws {
    var attempts: [String: [(attempt: Int, apnsID: String?, status: Int)]] = [:]
    for line in Set(try Shared.corpus.get().provider) {
      let object = try Corpus.object(line)
      guard let id = object["notification_id"] as? String, !id.hasPrefix("cmp-") else { continue }
      attempts[id, default: []].append(
        (
          object["attempt"] as? Int ?? 0, object["apns_id"] as? String,
          object["status"] as? Int ?? -1
        ))
    }
    let retried = attempts.values.filter { $0.count > 1 }
    // Sixteen in a thousand are tried again after a passing failure, two in a thousand in vain;
    // about seven in ten have an id of their own.
    #expect((120...400).contains(retried.count))
    for sends in retried {
      let ordered = sends.sorted { $0.attempt < $1.attempt }
      #expect(ordered.map(\.attempt) == Array(1...ordered.count))
      #expect(ordered.dropLast().allSatisfy { $0.status != 200 })
      let ids = ordered.compactMap(\.apnsID)
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test func aCampaignsIDGoesToManyPhonesAndOnceToEach() throws {
    var phones: [String: [String]] = [:]
    for line in try Shared.truth.get() {
      guard let id = line.notificationID, id.hasPrefix("cmp-") else { continue }
      phones[id, default: []].append(line.deviceID)
    }
    // Five a day for eight days in three apps.
    #expect(phones.count == 120)
    for (id, devices) in phones { #expect(Set(devices).count == devices.count, "\(id)") }
    #expect(phones.values.map(\.count).max() ?? 0 > 40)
  }

  @Test func sendsWithoutIDsCarryNone() throws {
    let corpus = try Corpus(
      SimulatorConfiguration(notifications: 4000, seed: 3, idlessSends: 0.5))
    var bare = 0
    for line in corpus.provider {
      let object = try Corpus.object(line)
      let keys = ["notification_id", "apns_id", "collapse_id"]
      if keys.allSatisfy({ object[$0] == nil }) {
        bare += 1
        let payload = object["payload"] as? [String: Any] ?? [:]
        #expect(payload["notification_id"] == nil && payload["apns_id"] == nil)
      }
    }
    // Half of about 4,100 sends, within four standard deviations (32).
    #expect((1880...2200).contains(bare), "\(bare)")
  }

  @Test func sampledLogsKeepEveryRefusal() throws {
    var configuration = SimulatorConfiguration(notifications: 3000, seed: 9)
    let full = try Corpus(configuration)
    configuration.loggedSuccesses = 0.1
    let sampled = try Corpus(configuration)
    func count(_ corpus: Corpus, accepted: Bool) throws -> Int {
      try Set(corpus.provider).filter {
        (try Corpus.object($0)["status"] as? Int == 200) == accepted
      }.count
    }
    let share = try Double(count(sampled, accepted: true)) / Double(count(full, accepted: true))
    #expect((0.08...0.12).contains(share))
    #expect(try count(sampled, accepted: false) == count(full, accepted: false))
  }

  @Test func lostEventsLeaveGapsInTheCount() throws {
    let corpus = try Corpus(
      SimulatorConfiguration(notifications: 4000, seed: 21, lostDeviceEvents: 0.2))
    var numbers: [String: Set<Int>] = [:]
    for line in corpus.device {
      let object = try Corpus.object(line)
      guard let log = object["log_id"] as? String, let number = object["seq"] as? Int else {
        continue
      }
      numbers[log, default: []].insert(number)
    }
    var there = 0
    var span = 0
    for set in numbers.values {
      guard let first = set.min(), let last = set.max() else { continue }
      there += set.count
      span += last - first + 1
    }
    // A tenth singly, a tenth in whole days: 19 in a hundred are gone, days in lumps.
    let missing = 1 - Double(there) / Double(span)
    #expect((0.12...0.25).contains(missing), "\(missing)")
  }

  @Test func logsWithoutCountsHaveNeitherNumberNorLog() throws {
    let corpus = try Corpus(
      SimulatorConfiguration(notifications: 300, seed: 4, sequenceNumbers: false))
    #expect(!corpus.device.isEmpty)
    for line in corpus.device {
      let object = try Corpus.object(line)
      #expect(object["seq"] == nil && object["log_id"] == nil)
    }
  }

  @Test func valuesThatMakeNoSenseAreRefused() {
    let folder = FileManager.default.temporaryDirectory.path
    for configuration in [
      SimulatorConfiguration(notifications: 0, seed: 1),
      SimulatorConfiguration(notifications: 1, seed: 1, days: 0),
      SimulatorConfiguration(notifications: 1, seed: 1, firstDay: "2026-02-30"),
      SimulatorConfiguration(notifications: 1, seed: 1, lostDeviceEvents: 1.5),
    ] {
      #expect(throws: SimulatorError.self) {
        try Simulator.run(configuration, to: folder + "/never-made")
      }
    }
  }
}
