import Dispatch
import PushIngest
import PushModel
import PushStore
import Synchronization

/// A token that no phone registered, and the installation that it was found to be of.
struct TokenTie {
  /// The installation that stood for the token.
  var standIn: Int64
  /// The token.
  var token: TokenRecord
  /// The installation.
  var installation: Int64
}

/// Finds the installation of records that name none: sends by their token, lines of a phone's log by
/// the phone.
///
/// The data path: such records wait in a part of their own of the spill files → those whose token is
/// registered are dealt to its installation → what is left is tied by ids that went to one token only
/// and that one device only has a record of, phones' logs by short ids → the rest is dealt to stand-ins.
/// All of it goes block by block, and not all ids are looked up at once, so that memory does not
/// grow with the input.
final class HomeResolver {
  /// What is known of tokens.
  let tokens = TokenMap()
  private let database: Database
  private let identifiersAtOnce: Int
  /// Phones of system logs, each with the installation that it was found to be; by stand-in.
  private var phones: [Int64: Int64?] = [:]
  private static let phonesSetting = "phones"
  /// Stands for more than one installation.
  private static let many: Int64 = -1

  /// Records of a batch, as workers read them.
  struct Batch {
    var spills: [SpillFile]
    var maps: [SymbolMap]
    var origins: ContiguousArray<Origin>
    var pool: TextPool
    /// Where ids are looked up, as it is before the batch.
    var identifiers: StoredIdentifiers
    var hasStored: Bool
  }

  /// A resolver that looks up about so many ids at once.
  init(database: Database, identifiersAtOnce: Int) {
    self.database = database
    self.identifiersAtOnce = identifiersAtOnce
  }

  /// Reads what is stored of tokens and phones.
  func load() throws {
    phones = PhoneTies.stored(try database.setting(Self.phonesSetting))
    for (phone, home) in phones {
      if let home { tokens.add(phone, home, at: 0) }
    }
    try database.forEachToken { token, installation, firstAt, lastAt in
      let standIn = TokenMap.standIn(for: token)
      tokens.add(standIn, installation, at: firstAt)
      tokens.add(standIn, installation, at: lastAt)
    }
  }

  /// Adds phones whose logs were read.
  func add(phones new: Set<Int64>) {
    for phone in new where phones[phone] == nil { phones[phone] = .some(nil) }
  }

  /// Stores what is known of phones.
  func storePhones() throws {
    if !phones.isEmpty { try database.set(Self.phonesSetting, PhoneTies.text(phones)) }
  }

  /// Deals the records of a batch that name no installation to the parts of theirs. Returns the ties that
  /// were found on the way, and the phones.
  func resolve(_ batch: Batch) throws -> (ties: [TokenTie], phones: [Int64]) {
    let files = Uncheckable(batch.spills)
    try Parallel.run(files.value.count) { try self.dealKnown(files.value[$0]) }
    // Sends that were dealt just now count when ids are looked up.
    for spill in batch.spills { try spill.flushAll() }
    let ties = try learnTies(batch)
    let newPhones = try tiePhones(batch)
    for spill in batch.spills {
      try spill.forEachBlock(where: { $0 == SpillParts.unresolved }) {
        buffer, size throws(PipelineError) in
        try SpillCodec.forEachDeferred(in: buffer, size) { record throws(PipelineError) in
          try spill.deal(
            record, to: tokens.installation(record.home, at: record.at) ?? record.home)
        }
      }
      try spill.flushAll()
    }
    return (ties, newPhones)
  }

  /// Deals the records of one file whose tokens are known; the others go to the part of what is left.
  private func dealKnown(_ spill: SpillFile) throws(PipelineError) {
    try spill.forEachBlock(where: { $0 == SpillParts.deferred }) {
      buffer, size throws(PipelineError) in
      try SpillCodec.forEachDeferred(in: buffer, size) { record throws(PipelineError) in
        if let home = tokens.installation(record.home, at: record.at) {
          try spill.deal(record, to: home)
        } else {
          spill.buffer(SpillParts.unresolved).append(UnsafeRawPointer(record.base), record.length)
          try spill.added(SpillParts.unresolved)
        }
      }
    }
  }

  // MARK: Tokens by ids

  /// Ties tokens that no phone registered to the phones that have records of what went to them.
  private func learnTies(_ batch: Batch) throws -> [TokenTie] {
    let left = batch.spills.reduce(0) { $0 + $1.bytes(ofPart: SpillParts.unresolved) }
    let dealt = batch.spills.contains { $0.blocks.contains { $0.part < SpillParts.count } }
    // Without a record of any phone there is nothing to tie to.
    guard left > 0, dealt || batch.hasStored else { return [] }
    // A send takes two hundred bytes and has up to three ids.
    let passes = UInt64(1 + left / 70 / identifiersAtOnce)
    // All ids of a token that tell have to tell the same.
    var homeOf: [Int64: Int64] = [:]
    for pass in 0..<passes {
      try learnHomes(batch, into: &homeOf) { ($0.hash >> 32) % passes == pass }
    }
    homeOf = homeOf.filter { $0.value != Self.many }
    guard !homeOf.isEmpty else { return [] }
    var tokenOf: [Int64: TokenRecord] = [:]
    for spill in batch.spills {
      try spill.forEachBlock(where: { $0 == SpillParts.unresolved }) {
        buffer, size throws(PipelineError) in
        try SpillCodec.forEachDeferred(in: buffer, size) { record throws(PipelineError) in
          guard homeOf[record.home] != nil, let token = record.tokenOfSend else { return }
          tokenOf[record.home] = token
        }
      }
    }
    var ties: [TokenTie] = []
    for (standIn, home) in homeOf {
      guard tokens.add(standIn, home, at: 0) else { continue }
      if let token = tokenOf[standIn] {
        ties.append(TokenTie(standIn: standIn, token: token, installation: home))
      }
    }
    return ties
  }

  /// Adds the installations that have a record of an id that went to one stand-in only, of those ids
  /// that are looked up in this pass.
  private func learnHomes(
    _ batch: Batch, into homeOf: inout [Int64: Int64], where isOfPass: (TyingID) -> Bool
  ) throws {
    let many = Self.many
    // Which ids went to one stand-in only.
    let wanted = HashTable<Int64>()
    for spill in batch.spills {
      try SpillCodec.forEachIdentifier(in: spill, where: { $0 == SpillParts.unresolved }) {
        guard $0.isOfOneMessage, isOfPass($0.id) else { return }
        if let known = wanted[$0.id.hash], known != $0.home {
          wanted[$0.id.hash] = many
        } else {
          wanted[$0.id.hash] = $0.home
        }
      }
    }
    guard wanted.count > 0 else { return }
    // Which of them one device only has a record of.
    let found = Mutex(try batch.hasStored ? storedHomes(wanted, batch) : [:])
    // Every id of the batch is looked up in it, and nearly none is there.
    let spills = Uncheckable(batch.spills)
    try Parallel.run(spills.value.count) { number in
      var local: [TyingID: Int64] = [:]
      try SpillCodec.forEachIdentifier(
        in: spills.value[number], where: { $0 < SpillParts.count }
      ) {
        guard let standIn = wanted[$0.id.hash], standIn != many, standIn != $0.home else { return }
        // What went to another token too ties nothing.
        Self.add($0.isOfSend ? many : $0.home, to: &local, $0.id)
      }
      let result = local
      found.withLock { all in
        for (id, home) in result { Self.add(home, to: &all, id) }
      }
    }
    for (id, home) in found.withLock({ $0 }) where home != many {
      if let standIn = wanted[id.hash] { Self.add(home, to: &homeOf, standIn) }
    }
  }

  /// The installations whose stored records carry ids that went to one stand-in only: a phone's log may
  /// be read before the sender's.
  private func storedHomes(
    _ wanted: HashTable<Int64>, _ batch: Batch
  ) throws -> [TyingID: Int64] {
    let index = IdentifierIndex(database: database)
    let stored = StoredRows(database: database, pool: batch.pool)
    let records = RecordSet()
    var homes: [TyingID: Int64] = [:]
    try wanted.forEach { bits, standIn in
      let id = TyingID(bits: bits)
      let runs = standIn == Self.many ? [] : batch.identifiers.runs(mayHold: bits)
      guard !runs.isEmpty else { return }
      for row in try index.notifications(hash: id.hash, in: runs) where homes[id] != Self.many {
        records.removeAll()
        guard let entry = try stored.notification(row, into: records),
          entry.row.installation != standIn, TyingID.has(id, entry, records)
        else { continue }
        // The id went to another token too.
        if entry.row.sends > 0 {
          homes[id] = Self.many
          continue
        }
        guard try !database.isStandIn(entry.row.installation) else { continue }
        Self.add(entry.row.installation, to: &homes, id)
      }
    }
    return homes
  }

  private static func add<Key>(_ home: Int64, to homes: inout [Key: Int64], _ key: Key) {
    if let known = homes[key], known != home {
      homes[key] = many
    } else {
      homes[key] = home
    }
  }

  // MARK: Phones by short ids

  /// Ties phones that no installation is known of to one, by the short ids in their logs: those of
  /// this batch and those that are stored.
  private func tiePhones(_ batch: Batch) throws -> [Int64] {
    let open = Set(phones.filter { $0.value == nil }.keys)
    guard !open.isEmpty else { return [] }
    var ties = PhoneTies()
    let records = RecordSet()
    records.origins.append(contentsOf: batch.origins)
    func scan(_ base: UnsafeRawPointer, _ length: Int, _ spill: Int, sees: Bool) {
      records.removeAll()
      var sendHomes = ContiguousArray<Int64>()
      var eventHomes = ContiguousArray<Int64>()
      var installations = SpillCodec.Installations()
      SpillCodec.decode(
        base, length, map: batch.maps[spill], into: records, sendHomes: &sendHomes,
        eventHomes: &eventHomes, installations: &installations)
      for (index, event) in records.events.enumerated() where event.request.isPresent {
        let isShort = records.text(event.request.text).utf8.count == 9 && event.name.isSystemEvent
        if sees {
          guard isShort, open.contains(eventHomes[index]) else { continue }
          ties.see(digest: event.request.hash, at: event.at, phone: eventHomes[index])
        } else if !isShort {
          let home = tokens.installation(eventHomes[index], at: event.at) ?? eventHomes[index]
          ties.offer(event.request.hash, at: event.at, home: home) {
            records.text(event.request.text)
          }
        }
      }
      guard !sees else { return }
      for (index, send) in records.sends.enumerated() where send.collapse.isPresent {
        let home = tokens.installation(sendHomes[index], at: send.at) ?? sendHomes[index]
        ties.offer(send.collapse.hash, at: send.at, home: home) {
          records.text(send.collapse.text)
        }
      }
    }
    func scan(parts isWanted: (Int) -> Bool, sees: Bool) throws {
      for (number, spill) in batch.spills.enumerated() {
        try spill.forEachBlock(where: isWanted) { scan($0, $1, number, sees: sees) }
      }
    }
    try scan(parts: { $0 == SpillParts.unresolved }, sees: true)
    if batch.hasStored {
      for phone in open {
        try database.forEachShortID(ofPhone: phone) { text, at in
          ties.see(digest: StableHash.ofIdentifier(text), at: at, phone: phone)
        }
      }
    }
    if ties.isEmpty { return [] }
    try scan(parts: { $0 == SpillParts.unresolved || $0 < SpillParts.count }, sees: false)
    if batch.hasStored {
      try database.forEachRequestID(
        fromDay: RowID.day(of: ties.firstAt) - 4, toDay: RowID.day(of: ties.lastAt) + 1
      ) { home, at, text in
        guard !open.contains(home) else { return }
        ties.offer(StableHash.ofIdentifier(text), at: at, home: home) { text }
      }
    }
    let decided = ties.decide()
    for (phone, home) in decided {
      phones[phone] = .some(home)
      tokens.add(phone, home, at: 0)
    }
    return decided.map(\.phone)
  }
}
