/// What the values of a format are called: codes of keys and columns, 0 for those of no use.
protocol FieldCode: RawRepresentable<UInt8>, Sendable {
  static var none: Self { get }
}

/// Names of a format's fields, as keys of objects and as columns of rows.
struct FieldTable<Field: FieldCode>: Sendable {
  private let keys: KeyTable
  /// Codes by name.
  let columns: [String: UInt8]

  init(_ names: [(String, Field)]) {
    let codes = names.map { ($0.0, $0.1.rawValue) }
    precondition(
      codes.allSatisfy { Int($0.1) < Envelope.mostFields }, "a field has no room in a draft")
    keys = KeyTable(codes)
    columns = Dictionary(uniqueKeysWithValues: codes)
  }

  /// The field of a key.
  @inline(__always) func field(_ key: ByteText) -> Field {
    Field(rawValue: keys.code(key.base, key.count)) ?? .none
  }
}

/// The values of one record by field, whether they stand in an object or in a row. They stand in
/// memory of the workspace: there is one draft at a time.
struct Draft<Field: FieldCode> {
  private let cells: UnsafeMutablePointer<Cell>
  /// One bit for each field that is there.
  private var found: UInt32 = 0

  init(_ workspace: ParseWorkspace) { cells = workspace.cells }

  /// What is done with a value of an object.
  enum Use { case keep, enter, passOver }

  /// The value of a field; nil if it is not there.
  @inline(__always) subscript(field: Field) -> Cell? {
    get {
      found >> UInt32(field.rawValue) & 1 == 1 ? cells[Int(field.rawValue)] : nil
    }
    set {
      guard let newValue else {
        found &= ~(1 << UInt32(field.rawValue))
        return
      }
      (cells + Int(field.rawValue)).initialize(to: newValue)
      found |= 1 << UInt32(field.rawValue)
    }
  }

  /// Takes the values of an object, and of objects in it.
  ///
  /// - Parameters:
  ///   - depth: how many objects of the record stand around it.
  ///   - use: asked about every value that has a field, with the depth at which it stands.
  mutating func collect(
    _ json: JSONTape, _ object: Int, _ table: FieldTable<Field>, depth: Int = 0,
    use: (_ field: Field, _ value: Cell, _ depth: Int) -> Use = { _, _, _ in .keep }
  ) {
    for (key, value) in json.fields(object) {
      let field = table.field(key)
      guard field.rawValue != 0 else { continue }
      let cell = Cell(json, value)
      switch use(field, cell, depth) {
      case .keep: self[field] = cell
      case .enter:
        if json.kind(value) == .object {
          collect(json, value, table, depth: depth + 1, use: use)
        }
      case .passOver: break
      }
    }
  }
}

extension Envelope {
  /// Codes of fields are below this.
  static let mostFields = 32

  /// Reads a piece of a format whose records come as objects, or as rows of the same fields.
  ///
  /// - Parameters:
  ///   - fits: whether an object is a record of the format.
  ///   - collect: takes the values of such an object.
  ///   - finish: makes the record of them.
  static func read<Field>(
    _ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace,
    fits: (JSONTape, Int) -> Bool, collect: (JSONTape, Int, inout Draft<Field>) -> Void,
    finish: (Draft<Field>, ParseWorkspace) -> Reading
  ) -> Reading {
    if workspace.isRows {
      var draft = Draft<Field>(workspace)
      let ending = workspace.forEachField(of: piece) { code, cell in
        draft[Field(rawValue: code) ?? .none] = cell
      }
      return ending ?? finish(draft, workspace)
    }
    return read(piece, workspace) { json, object, envelope in
      guard fits(json, object) else { return .lookInside }
      var draft = Draft<Field>(workspace)
      collect(json, object, &draft)
      return envelope.take(finish(draft, workspace))
    }
  }
}
