import Foundation
import PushBundle
import PushSimulator
import TestSupport
import Testing

/// A random value that all three forms can hold.
private func randomPlist(_ generator: inout SeededGenerator, depth: Int) -> PlistPart {
  let texts = ["", "plain", "Grüße", "日本語", "a<b>&\"c\"", "emoji 📦", "line\nbreak\ttab", "\\back"]
  switch Int.random(in: 0..<(depth > 3 ? 6 : 8), using: &generator) {
  case 0: return .text(texts.randomElement(using: &generator) ?? "")
  case 1: return .integer(Int64.random(in: .min ... .max, using: &generator))
  case 2: return .integer(Int64.random(in: -200...70_000, using: &generator))
  case 3: return .boolean(Bool.random(using: &generator))
  case 4: return .real(Double.random(in: -1e6...1e6, using: &generator))
  case 5:
    return .data(
      (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      })
  case 6:
    return .array(
      (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
        randomPlist(&generator, depth: depth + 1)
      })
  default:
    var dictionary = PlistPart.dictionary([])
    for number in 0..<Int.random(in: 0..<20, using: &generator) {
      dictionary["key \(number) ü"] = randomPlist(&generator, depth: depth + 1)
    }
    return dictionary
  }
}

/// What Foundation makes of a value, so that its writer can serve as the independent tool.
private func foundation(_ part: PlistPart) -> Any {
  switch part {
  case .dictionary(let pairs):
    Dictionary(pairs.map { ($0.0, foundation($0.1)) }) { $1 }
  case .array(let values): values.map(foundation)
  case .text(let text), .date(let text): text
  case .integer(let number): number
  case .real(let number): number
  case .boolean(let value): value
  case .data(let bytes): Data(bytes)
  }
}

private func expected(_ part: PlistPart) -> PlistValue {
  switch part {
  case .dictionary(let pairs): .dictionary(PlistDictionary(pairs.map { ($0.0, expected($0.1)) }))
  case .array(let values): .array(values.map(expected))
  case .text(let text), .date(let text): .text(text)
  case .integer(let number): .integer(number)
  case .real(let number): .real(number)
  case .boolean(let value): .boolean(value)
  case .data(let bytes): .data(bytes)
  }
}

@Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
func whatFoundationWritesIsReadAsItWas(_ format: PropertyListSerialization.PropertyListFormat)
  throws
{
  for seed in UInt64(1)...30 {
    var generator = SeededGenerator(seed: seed)
    var part = PlistPart.dictionary([])
    part["root"] = randomPlist(&generator, depth: 0)
    let data = try PropertyListSerialization.data(
      fromPropertyList: foundation(part), format: format, options: 0)
    #expect(try PropertyList.read(Array(data)) == expected(part), "seed \(seed)")
  }
}

@Test func theOwnWriterOfPartsIsReadByFoundation() throws {
  for seed in UInt64(1)...20 {
    var generator = SeededGenerator(seed: seed)
    var part = PlistPart.dictionary([])
    part["root"] = randomPlist(&generator, depth: 0)
    for file in [part.binaryFile, part.xmlFile] {
      let read = try PropertyListSerialization.propertyList(
        from: Data(file), options: [], format: nil)
      #expect((read as? NSDictionary) == (foundation(part) as? NSDictionary), "seed \(seed)")
    }
  }
}

@Test func theOldTextFormAndStringsFilesAreRead() throws {
  let text = """
    /* names of the app */
    "CFBundleDisplayName" = "Kurier \\"Express\\"";
    // one without quotes, one with an escape
    NSHumanReadableCopyright = Gr\\U00fc\\U00dfe;
    "Tab" = "a\\tb\\nc";
    Alone;
    """
  // Escapes count inside of quotes only.
  #expect(throws: FormatFault.self) { try PropertyList.read(Array(text.utf8)) }
  let sound = text.replacing("Gr\\U00fc\\U00dfe", with: "\"Gr\\U00fc\\U00dfe \\Ud83d\\Udce6\"")
  let read = try PropertyList.dictionary(Array(sound.utf8))
  #expect(read["CFBundleDisplayName"] == "Kurier \"Express\"")
  #expect(read["NSHumanReadableCopyright"] == "Grüße 📦")
  #expect(read["Tab"] == "a\tb\nc")
  #expect(read["Alone"] == "Alone")
  let units = Array(sound.utf16)
  let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  #expect(try PropertyList.dictionary(big) == read)
  #expect(try PropertyList.dictionary(little) == read)
  let nested = try PropertyList.read(Array("{ a = (1, two, {b = <00ff>;}); }".utf8))
  #expect(nested == ["a": ["1", "two", ["b": .data([0, 255])]]])
}

/// Damaged bytes, and what has to be said about them.
private let damaged: [(title: String, bytes: [UInt8], damage: FormatFault.Damage)] = {
  let small = PlistPart.dictionary([("a", ["b", 1, true])]).binaryFile
  var table = small
  // The table of offsets beyond the file.
  table.replaceSubrange(table.count - 8..<table.count, with: [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
  var count = small
  count.replaceSubrange(
    count.count - 24..<count.count - 16, with: [0x7F] + [UInt8](repeating: 0xFF, count: 7))
  // Array 0 holds itself.
  let own: [UInt8] =
    Array("bplist00".utf8) + [0xA1, 0x00] + [0x08] + [0, 0, 0, 0, 0, 0, 1, 1]
    + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
  // Thirty arrays, each with the next one twice: 2^30 values.
  var laughs = Array("bplist00".utf8)
  for number in UInt8(1)...30 { laughs += [0xA2, number, number] }
  laughs += [0x09]
  let start = laughs.count
  for number in UInt8(0)...30 { laughs.append(8 + number * 3) }
  laughs += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 31] + [0, 0, 0, 0, 0, 0, 0, 0]
  laughs += [0, 0, 0, 0, 0, 0, 0, UInt8(start)]
  let deep = String(repeating: "<array>", count: 100_000)
  let keys = (0..<120_000).map { "<key>\($0)</key><true/>" }.joined()
  // A million objects `true`, and a table of a million offsets.
  var million = Array("bplist00".utf8) + [UInt8](repeating: 0x09, count: 1_000_000)
  million += [UInt8](repeating: 8, count: 1_000_000) + [0, 0, 0, 0, 0, 0, 1, 4]
  million += [0, 0, 0, 0, 0x00, 0x0F, 0x42, 0x40] + [0, 0, 0, 0, 0, 0, 0, 0]
  million += [0, 0, 0, 0, 0x00, 0x0F, 0x42, 0x48]
  return [
    ("cut off", Array(small.prefix(20)), .cutShort),
    ("table of offsets outside", table, .outside), ("more objects than bytes", count, .outside),
    ("an array in itself", own, .recursion),
    ("a doubling of arrays", laughs, .tooMany(PropertyList.valueLimit)),
    ("XML nested too deep", Array("<plist>\(deep)".utf8), .tooDeep(PropertyList.depthLimit)),
    (
      "too many keys", Array("<plist><dict>\(keys)</dict></plist>".utf8),
      .tooMany(PropertyList.valueLimit)
    ),
    ("a million objects", million, .tooMany(PropertyList.valueLimit)),
    (
      "entities of its own",
      Array("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>".utf8),
      .declaration
    ),
    ("an open tag", Array("<plist><dict><key>a</key><string>b".utf8), .cutShort),
    (
      "a key without value", Array("<plist><dict><key>a</key></dict></plist>".utf8),
      .expected("a value of the key 'a'")
    ),
    (
      "text nested too deep", Array(String(repeating: "(", count: 100_000).utf8),
      .tooDeep(PropertyList.depthLimit)
    ),
    ("an open quote", Array("\"a\" = \"b".utf8), .cutShort),
  ]
}()

@Test(arguments: damaged.indices)
func damagedPropertyListsAreRefusedWithAPlace(_ number: Int) {
  let row = damaged[number]
  do {
    _ = try PropertyList.read(row.bytes)
    Issue.record("\(row.title) was read")
  } catch {
    #expect(error.damage == row.damage, "\(row.title)")
    let hasPlace = error.offset != nil || error.line != nil
    #expect(hasPlace, "\(row.title)")
  }
}

@Test func theLineOfAFaultIsNamed() {
  let text =
    "<?xml version=\"1.0\"?>\n<plist>\n<dict>\n<key>a</key>\n<integer>x</integer>\n</dict></plist>"
  do {
    _ = try PropertyList.read(Array(text.utf8))
    Issue.record("read")
  } catch {
    #expect(error.line == 5)
    #expect(error.description.contains("line 5"))
  }
}

@Test func anyChangeOfAByteIsReadOrRefused() {
  // Every byte of a small file in turn, and random ones: nothing but a value or a fault comes out.
  let forms = SampleApp.content().info
  for file in [forms.binaryFile, forms.xmlFile, forms.textFile] {
    for place in file.indices {
      for value in [UInt8(0), 0xFF, file[place] ^ 0x10] {
        var changed = file
        changed[place] = value
        _ = try? PropertyList.read(changed)
      }
      _ = try? PropertyList.read(Array(file.prefix(place)))
    }
  }
}
