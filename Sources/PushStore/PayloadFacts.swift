public import PushModel

/// What rules need of a payload, as it stands in `payload_shape.facts`: a JSON array.
public enum PayloadFacts {
  /// The facts as text.
  public static func text(_ payload: Payload, pool: TextPool) -> String {
    func known(_ value: Known<Symbol>) -> String {
      switch value {
      case .unknown: "0"
      case .missing: "null"
      case .known(let symbol): quoted(pool[symbol])
      }
    }
    func quoted(_ text: String) -> String {
      let out = ByteOutput(capacity: 64)
      out.append(quoted: text)
      return out.text(out.range(from: 0))
    }
    var media = "0"
    if payload.media.isMissing { media = "null" }
    if let url = payload.media.value {
      media =
        "[\(quoted(pool[url.scheme])),\(quoted(pool[url.host])),\(quoted(pool[url.ending])),\(url.length),\(url.parses ? 1 : 0),\(url.hasSpaces ? 1 : 0)]"
    }
    let numbers = [
      Int64(payload.parts.rawValue), Int64(payload.alert.rawValue),
      Int64(payload.mutableContent.rawValue), Int64(payload.contentAvailable.rawValue),
      Int64(payload.misplacedMutable.rawValue), Int64(payload.misplacedAvailable.rawValue),
    ].map(String.init).joined(separator: ",")
    return
      "[\(numbers),\(known(payload.category)),\(known(payload.sound)),\(known(payload.interruptionLevel)),\(known(payload.typeHint)),\(media)]"
  }

  /// The facts of a text; nil if it is damaged.
  public static func payload(_ text: String, pool: TextPool) -> Payload? {
    var text = text
    return text.withUTF8 { bytes in
      var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
      var payload = Payload()
      func number() -> Int64 {
        let value = cursor.integer()
        cursor.expect(0x2c)
        return value
      }
      func known() -> Known<Symbol> {
        switch cursor.peek {
        case 0x22: return .known(cursor.string { pool.intern($0, $1) } ?? Symbol(.empty))
        case 0x6e:
          cursor.skip()
          return .missing
        default:
          cursor.skip()
          return .unknown
        }
      }
      cursor.expect(0x5b)
      payload.parts = Payload.Parts(rawValue: UInt32(truncatingIfNeeded: number()))
      payload.alert = AlertState(rawValue: UInt8(truncatingIfNeeded: number())) ?? .unknown
      payload.mutableContent = FlagState(rawValue: UInt8(truncatingIfNeeded: number())) ?? .unknown
      payload.contentAvailable =
        FlagState(rawValue: UInt8(truncatingIfNeeded: number())) ?? .unknown
      payload.misplacedMutable = Misplacement(rawValue: UInt8(truncatingIfNeeded: number()))
      payload.misplacedAvailable = Misplacement(rawValue: UInt8(truncatingIfNeeded: number()))
      payload.category = known()
      cursor.expect(0x2c)
      payload.sound = known()
      cursor.expect(0x2c)
      payload.interruptionLevel = known()
      cursor.expect(0x2c)
      payload.typeHint = known()
      cursor.expect(0x2c)
      switch cursor.peek {
      case 0x5b:
        cursor.place += 1
        let scheme = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
        cursor.expect(0x2c)
        let host = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
        cursor.expect(0x2c)
        let ending = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
        cursor.expect(0x2c)
        let length = number()
        let parses = number() != 0
        let hasSpaces = cursor.integer() != 0
        cursor.expect(0x5d)
        var form = URLForm(
          scheme: scheme, ending: ending, length: UInt32(truncatingIfNeeded: length),
          parses: parses, hasSpaces: hasSpaces)
        form.host = host
        payload.media = .known(form)
      case 0x6e:
        cursor.skip()
        payload.media = .missing
      default: cursor.skip()
      }
      cursor.expect(0x5d)
      return cursor.isDamaged ? nil : payload
    }
  }
}
