/// How the notifications of a rate are spread over installations: those that are sent to one phone
/// again and again do not each prove anew what a release does.
public struct PhoneSpread: Equatable, Sendable {
  /// An installation with at least one broken notification.
  public struct Carrier: Equatable, Sendable {
    /// Its broken notifications, at least 1.
    public var broken: Int
    /// Its notifications that can be told, those included.
    public var told: Int

    /// An installation.
    public init(broken: Int, told: Int) {
      self.broken = broken
      self.told = told
    }
  }
  /// Installations with at least one notification that can be told.
  public var installations: Int
  /// Sum over them of the square of the number of their notifications that can be told.
  public var squares: Int
  /// Those with a broken one, in any order.
  public var carriers: [Carrier]

  /// A spread.
  public init(installations: Int = 0, squares: Int = 0, carriers: [Carrier] = []) {
    self.installations = installations
    self.squares = squares
    self.carriers = carriers
  }
}
