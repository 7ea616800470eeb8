/// What the invented world holds: apps and their releases, iOS versions, phones, campaigns, texts.
enum Catalogue {
  static let apps: [App] = [
    App(
      bundle: "com.example.courier", service: "com.example.courier.service",
      content: "com.example.courier.preview", topicName: "com.example.courier",
      actionCategory: "ORDER_STATUS", viewCategory: "PARCEL_MAP", action: "TRACK"),
    App(
      bundle: "com.example.market", service: "com.example.market.service",
      content: "com.example.market.preview", topicName: "com.example.market",
      actionCategory: "OFFER", viewCategory: "OFFER_GALLERY", action: "SAVE"),
    App(
      bundle: "com.example.pulse", service: "com.example.pulse.service",
      content: "com.example.pulse.preview", topicName: "com.example.pulse",
      actionCategory: "THREAD", viewCategory: "THREAD_PREVIEW", action: "REPLY"),
  ]

  /// Releases by number; each app's are in the order in which they came out.
  static let releases: [AppRelease] = [
    AppRelease(app: 0, version: "5.0.0", build: "5001"),
    AppRelease(app: 0, version: "5.1.0", build: "5101"),
    AppRelease(app: 0, version: "5.2.0", build: "5201"),
    // A development build: the store refuses unknown extension points at upload (F4.6).
    AppRelease(
      app: 0, version: "5.3.0", build: "5300", development: true,
      servicePoint: "com.apple.notification-service-extension"),
    AppRelease(app: 1, version: "3.9.0", build: "3901"),
    AppRelease(app: 1, version: "3.9.1", build: "3911"),
    AppRelease(app: 1, version: "4.0.0", build: "4001"),
    AppRelease(app: 2, version: "11.2.0", build: "1120"),
    AppRelease(app: 2, version: "11.3.0", build: "1130"),
    AppRelease(app: 2, version: "11.4.0", build: "1140", serviceMinimumOS: 17),
  ]

  static let courierDevelopment = 3

  static let systems: [System] = [
    System("15.8.3", major: 15, models: ["iPhone9,1", "iPhone8,1"], weight: 4),
    System("16.6.1", major: 16, models: ["iPhone10,3", "iPhone12,1"], weight: 6),
    System("16.7.10", major: 16, models: ["iPhone10,6", "iPhone10,3"], weight: 5),
    System("17.4.1", major: 17, models: ["iPhone12,1", "iPhone13,2", "iPhone14,5"], weight: 8),
    System("17.6.1", major: 17, models: ["iPhone13,2", "iPhone14,7", "iPad13,4"], weight: 17),
    System("18.1.1", major: 18, models: ["iPhone14,5", "iPhone15,2", "iPhone16,1"], weight: 13),
    System("18.5", major: 18, models: ["iPhone13,2", "iPhone15,3", "iPhone17,3"], weight: 22),
    System("18.6.2", major: 18, models: ["iPhone16,1", "iPhone16,2", "iPhone17,1"], weight: 25),
  ]

  static let systemWeights = systems.reduce(0) { $0 + $1.weight }

  static let campaignsPerDay = 5

  /// When the campaigns of a day start, in minutes after midnight UTC.
  static let campaignStartMinutes = [8 * 60 + 30, 11 * 60, 13 * 60 + 15, 17 * 60, 19 * 60 + 30]

  /// How many of a hundred sends fall into each hour of the day, UTC.
  static let hourWeights = [
    1, 1, 1, 1, 1, 2, 3, 5, 6, 6, 6, 6, 6, 5, 5, 5, 6, 7, 7, 7, 6, 4, 2, 1,
  ]

  static let hourWeightSum = hourWeights.reduce(0, +)

  static let titles: [StaticString] = [
    "Parcel on its way", "Your order has shipped", "New in your list", "Price drop for you",
    "Delivery window confirmed", "Reminder for tomorrow", "Your weekly summary is ready",
    "Back in stock",
  ]

  static let bodies: [StaticString] = [
    "Open the app to follow every stop on the map, reference ",
    "Have a look at the pictures before it is gone, reference ",
    "We picked this for you from the lists that you follow, reference ",
    "It takes less than a minute to confirm, reference ",
    "Three people in your list have seen it already, reference ",
  ]

  static let threads: [StaticString] = ["orders", "offers", "news", "chat"]

  static let keys: [StaticString] = ["K7XM2QP4LA", "R3TT9WZ8NC"]

  static let workers: [StaticString] = ["push-1", "push-2", "push-3", "push-4"]
}

/// An app and the names in it that the logs show.
struct App: Sendable {
  let bundle: StaticString
  let service: StaticString
  let content: StaticString
  let topicName: StaticString
  let actionCategory: StaticString
  let viewCategory: StaticString
  let action: StaticString
}

/// A release of one app.
struct AppRelease: Sendable {
  let app: Int
  let version: StaticString
  let build: StaticString
  var development = false
  var servicePoint: StaticString = "com.apple.usernotifications.service"
  var serviceMinimumOS = 15

  var servicePointIsRight: Bool { !development }
}

/// An iOS version, the phones that run it, and its weight.
struct System: Sendable {
  let version: StaticString
  let major: Int
  let models: [StaticString]
  let weight: Int

  init(_ version: StaticString, major: Int, models: [StaticString], weight: Int) {
    self.version = version
    self.major = major
    self.models = models
    self.weight = weight
  }
}

/// A release in which one cause comes more often than in the others.
public struct PlantedRegression: Sendable, Equatable {
  /// Bundle id of the app.
  public var bundleID: String
  /// Version of the worse release.
  public var version: String
  /// Its build.
  public var build: String
  /// The cause that comes more often.
  public var cause: PlantedCause
  /// How many times as often as in the app's other releases.
  public var factor: Int
  let release: Int
}

extension PlantedRegression {
  /// The regressions that every corpus holds.
  public static let all: [PlantedRegression] = [
    PlantedRegression(
      bundleID: "com.example.courier", version: "5.2.0", build: "5201",
      cause: .downloadTooSlow, factor: 6, release: 2),
    PlantedRegression(
      bundleID: "com.example.market", version: "4.0.0", build: "4001",
      cause: .contentHandlerNever, factor: 5, release: 6),
  ]
}
