import Foundation

/// Reads property lists in all three forms that stand in apps, and their `.strings` files.
public enum PropertyList {
  /// Largest file that is read, bytes.
  public static let sizeLimit = 16 << 20
  /// Most values in one file, those that are reached twice counted twice.
  public static let valueLimit = 100_000
  /// Deepest nesting.
  public static let depthLimit = 64

  /// The value in the bytes of a file.
  ///
  /// - Throws: ``FormatFault`` with the place in the bytes; a file that is larger, deeper or fuller
  ///   than the limits is refused too.
  public static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistValue {
    if bytes.starts(with: Array("bplist0".utf8)) {
      try checkSize(bytes, .binaryPropertyList)
      return try BinaryPropertyList.read(bytes)
    }
    try checkSize(bytes, .textPropertyList)
    let text = try decode(bytes)
    let start = text.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.first == UInt8(ascii: "<"),
      start.starts(with: Array("<?xml".utf8))
        || start.starts(with: Array("<!DOCTYPE".utf8)) || start.starts(with: Array("<plist".utf8))
    {
      return try XMLPropertyList.read(text)
    }
    return try TextPropertyList.read(text)
  }

  /// The dictionary in the bytes of a file.
  public static func dictionary(_ bytes: [UInt8]) throws(FormatFault) -> PlistDictionary {
    let value = try read(bytes)
    guard let dictionary = value.dictionary else {
      throw FormatFault(
        bytes.starts(with: Array("bplist".utf8)) ? .binaryPropertyList : .xmlPropertyList,
        .expected("a dictionary"))
    }
    return dictionary
  }

  private static func checkSize(
    _ bytes: [UInt8], _ format: FormatFault.Format
  ) throws(FormatFault) {
    if bytes.count > sizeLimit { throw FormatFault(format, .tooLarge(sizeLimit)) }
  }

  /// UTF-8 without a byte order mark, from UTF-8 or UTF-16.
  private static func decode(_ bytes: [UInt8]) throws(FormatFault) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
    guard bytes.count % 2 == 0 else {
      throw FormatFault(.textPropertyList, .badText, offset: bytes.count)
    }
    var units: [UInt16] = []
    for place in stride(from: 2, to: bytes.count, by: 2) {
      units.append(
        isBig
          ? UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
          : UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place]))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw FormatFault(.textPropertyList, .badText, offset: 2)
    }
    return Array(text.utf8)
  }

  /// Unix seconds of a date such as `2026-11-29T08:15:00Z`; nil if it is not of that form.
  static func unixSeconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54,
      bytes[13] == 0x3A, bytes[16] == 0x3A, bytes[19] == 0x5A
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    // Days from civil date, with years that start in March.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
