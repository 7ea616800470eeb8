/// Writes the lines of groups of phones: one for each thread. It also plants what goes wrong with
/// lines rather than with notifications: lost, late, doubled and shuffled ones.
final class GroupWriter {
  let world: World
  let simulation: PhoneSimulation
  var tally = Tally()
  private var out = ByteWriter(capacity: 1 << 20)
  private var truth = ByteWriter(capacity: 1 << 22)
  private var provider: SpillWriter
  private var device: SpillWriter
  private var truthSpill: SpillWriter
  private var group = 0
  private var providerUnits = 0
  private var deviceUnits = 0
  /// Positions of the events of the upload at hand, of the one before, and of those that wait.
  private var upload: [Int] = []
  private var previous: [Int] = []
  private var waiting: [Int] = []

  /// Units of one group, needed to number its lines in the end.
  struct GroupSize: Sendable {
    var group: Int
    var providerUnits: Int
    var deviceUnits: Int
  }

  /// What one thread did.
  struct Tally: Sendable {
    var broken: [Int] = Array(repeating: 0, count: PlantedCause.allCases.count)
    var brokenDecidable = 0
    var decidable = 0
    var notifications = 0
    var groups: [GroupSize] = []
  }

  /// What one thread wrote.
  struct Spills: Sendable {
    var provider: SpillFile
    var device: SpillFile
    var truth: SpillFile
    var tally: Tally
  }

  init(world: World, directory: String, number: Int) throws(SimulatorError) {
    self.world = world
    simulation = PhoneSimulation(world: world)
    let bufferSize = max((12 << 20) / world.buckets, 8192)
    provider = try SpillWriter(
      directory: directory, name: "provider-\(number)", buckets: world.buckets,
      bufferSize: bufferSize)
    device = try SpillWriter(
      directory: directory, name: "device-\(number)", buckets: world.buckets,
      bufferSize: bufferSize)
    truthSpill = try SpillWriter(
      directory: directory, name: "truth-\(number)", buckets: 1, bufferSize: 8192)
  }

  /// Generates and writes one group of phones.
  func write(group number: Int) throws(SimulatorError) {
    group = number
    providerUnits = 0
    deviceUnits = 0
    truth.removeAll()
    let first = number * World.phonesPerGroup
    var lines = 0
    for index in first..<min(first + World.phonesPerGroup, world.counts.count) {
      simulation.live(index)
      try writeUploads()
      try writeSends()
      writeTruths(of: simulation, into: &truth, tally: &tally)
      lines += simulation.notes.count
    }
    tally.groups.append(
      GroupSize(group: number, providerUnits: providerUnits, deviceUnits: deviceUnits))
    try truthSpill.append(
      UnitHeader(
        timeMicroseconds: Int64(number), group: UInt32(number), index: 0,
        length: UInt32(truth.count), lines: UInt32(lines)),
      truth.base, bucket: 0)
  }

  func finish() throws(SimulatorError) -> Spills {
    Spills(
      provider: try provider.finish(), device: try device.finish(),
      truth: try truthSpill.finish(), tally: tally)
  }

  // MARK: The device log

  private func writeUploads() throws(SimulatorError) {
    numberEvents()
    previous.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    guard !simulation.phone.neverLogs else { return }
    var next = 0
    for (number, at) in simulation.uploads.enumerated() {
      swap(&upload, &waiting)
      waiting.removeAll(keepingCapacity: true)
      let isLast = number == simulation.uploads.count - 1
      while next < simulation.events.count, simulation.events[next].time <= at {
        if !simulation.fates[next].isLost {
          // A few lines come with the next upload only.
          if !isLast, simulation.random.chance(4000) {
            waiting.append(next)
            if simulation.events[next].note >= 0 {
              simulation.notes[simulation.events[next].note].defects.insert(.lateLine)
            }
          } else {
            upload.append(next)
          }
        }
        next += 1
      }
      shuffle()
      if !upload.isEmpty { try writeUpload(at) }
      swap(&previous, &upload)
      upload.removeAll(keepingCapacity: true)
    }
  }

  /// Numbers the events as the recorder did and decides which are lost: a lost one keeps its number.
  private func numberEvents() {
    let phone = simulation.phone
    let events = simulation.events
    let lost = Int(world.configuration.lostDeviceEvents * 500_000)
    simulation.fates.removeAll(keepingCapacity: true)
    var sequence = phone.firstSequence
    var log = 0
    var day = Int64.min
    var dayIsLost = false
    for event in events {
      if log == 0, event.time >= phone.restartsAt {
        log = 1
        sequence = 1
      }
      if event.time / microsecondsPerDay != day {
        day = event.time / microsecondsPerDay
        dayIsLost = simulation.random.chance(lost)
      }
      var fate = Fate()
      fate.sequence = sequence
      fate.log = log
      let single = simulation.random.chance(lost)
      fate.isLost = single || dayIsLost
      if fate.isLost, event.note >= 0 {
        simulation.notes[event.note].defects.insert(dayIsLost ? .lostDay : .lostEvent)
      }
      simulation.fates.append(fate)
      sequence += 1
    }
  }

  private func shuffle() {
    guard upload.count > 3, simulation.random.chance(120_000) else { return }
    for _ in 0..<(1 + upload.count / 20) {
      let from = simulation.random.below(upload.count - 3)
      upload.swapAt(from, from + simulation.random.between(1, 3))
    }
  }

  private func writeUpload(_ at: Int64) throws(SimulatorError) {
    out.removeAll()
    var lines = 0
    // The app did not hear that its last upload had arrived, and sends it again.
    if simulation.random.chance(15_000) {
      for position in previous {
        simulation.writeEvent(
          simulation.events[position], simulation.fates[position], into: &out)
        mark(position, .duplicateLine)
        lines += 1
      }
    }
    for position in upload {
      simulation.fates[position].unit = deviceUnits
      simulation.fates[position].line = lines
      simulation.writeEvent(simulation.events[position], simulation.fates[position], into: &out)
      lines += 1
      if simulation.random.chance(2500) {
        simulation.writeEvent(simulation.events[position], simulation.fates[position], into: &out)
        mark(position, .duplicateLine)
        lines += 1
      }
    }
    var time = at
    if simulation.random.chance(8000) {
      // It hung in a queue of the server.
      time += Int64(simulation.random.between(6, 72)) * microsecondsPerHour
    }
    time = min(time, world.collectedAt)
    try device.append(
      UnitHeader(
        timeMicroseconds: time, group: UInt32(group), index: UInt32(deviceUnits),
        length: UInt32(out.count), lines: UInt32(lines)),
      out.base, bucket: world.bucket(of: time))
    deviceUnits += 1
  }

  private func mark(_ position: Int, _ defect: Defects) {
    let note = simulation.events[position].note
    if note >= 0 { simulation.notes[note].defects.insert(defect) }
  }

  // MARK: The provider's log

  private func writeSends() throws(SimulatorError) {
    let logged = Int(world.configuration.loggedSuccesses * 1_000_000)
    for index in simulation.sends.indices {
      let send = simulation.sends[index]
      if send.status == 200, !simulation.random.chance(logged) {
        simulation.notes[send.note].defects.insert(.sampledOut)
        continue
      }
      out.removeAll()
      simulation.writeSend(send, into: &out)
      var time = send.at + Int64(send.durationMilliseconds) * 1000
      if simulation.random.chance(10_000) {
        time += Int64(simulation.random.between(1, 45)) * microsecondsPerSecond
      } else if simulation.random.chance(1000) {
        time += Int64(simulation.random.between(1, 30)) * microsecondsPerHour
        simulation.notes[send.note].defects.insert(.lateLine)
      }
      simulation.sends[index].unit = providerUnits
      try appendSend(time)
      if simulation.random.chance(2500) {
        simulation.notes[send.note].defects.insert(.duplicateLine)
        try appendSend(time + Int64(simulation.random.below(600)) * microsecondsPerSecond)
      }
    }
  }

  private func appendSend(_ time: Int64) throws(SimulatorError) {
    let at = min(time, world.collectedAt)
    try provider.append(
      UnitHeader(
        timeMicroseconds: at, group: UInt32(group), index: UInt32(providerUnits),
        length: UInt32(out.count), lines: 1),
      out.base, bucket: world.bucket(of: at))
    providerUnits += 1
  }
}
