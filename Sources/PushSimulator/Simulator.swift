import Dispatch
import Foundation
import Synchronization

/// How far a run has come.
public struct SimulatorProgress: Sendable {
  /// Notifications generated so far.
  public var notifications: Int
  /// Notifications in all.
  public var total: Int
}

/// Writes corpora: two logs, what is true about them, and facts of the releases.
public enum Simulator {
  /// Writes `provider.ndjson`, `device.ndjson`, `truth.ndjson`, `facts.json` and an `.ipa` for each
  /// release in `bundles/` into `directory`, which is made if it is not there. The same configuration gives the same bytes, whatever the
  /// number of threads. Lines are sorted through unnamed files in the same directory, so it needs
  /// about twice the space of the corpus for a while.
  public static func run(
    _ configuration: SimulatorConfiguration, to directory: String,
    progress: (@Sendable (SimulatorProgress) -> Void)? = nil
  ) throws(SimulatorError) -> SimulatorSummary {
    let world = try World(configuration)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .file(path: directory, operation: "make the directory", code: errno)
    }
    let spills = try generate(world, directory: directory, progress: progress)
    defer {
      for spill in spills {
        close(spill.provider.descriptor)
        close(spill.device.descriptor)
        close(spill.truth.descriptor)
      }
    }
    return try assemble(world, spills, directory: directory)
  }

  private static func generate(
    _ world: World, directory: String, progress: (@Sendable (SimulatorProgress) -> Void)?
  ) throws(SimulatorError) -> [GroupWriter.Spills] {
    let workers = min(world.configuration.workers, world.groups)
    let next = Mutex(0)
    let generated = Mutex(0)
    let results = Mutex<[Result<GroupWriter.Spills, SimulatorError>]>([])
    DispatchQueue.concurrentPerform(iterations: workers) { number in
      let result: Result<GroupWriter.Spills, SimulatorError>
      do throws(SimulatorError) {
        let writer = try GroupWriter(world: world, directory: directory, number: number)
        while true {
          let group = next.withLock { value in
            defer { value += 1 }
            return value
          }
          if group >= world.groups { break }
          let before = writer.tally.notifications
          try writer.write(group: group)
          let new = writer.tally.notifications - before
          if let progress {
            let done = generated.withLock { value in
              value += new
              return value
            }
            progress(
              SimulatorProgress(
                notifications: done, total: world.configuration.notifications))
          }
        }
        result = .success(try writer.finish())
      } catch {
        result = .failure(error)
      }
      results.withLock { $0.append(result) }
    }
    var spills: [GroupWriter.Spills] = []
    for result in results.withLock({ $0 }) {
      switch result {
      case .success(let spill): spills.append(spill)
      case .failure(let error): throw error
      }
    }
    return spills
  }

  private static func assemble(
    _ world: World, _ spills: [GroupWriter.Spills], directory: String
  ) throws(SimulatorError) -> SimulatorSummary {
    var sizes = Array(
      repeating: GroupWriter.GroupSize(group: 0, providerUnits: 0, deviceUnits: 0),
      count: world.groups)
    for spill in spills { for size in spill.tally.groups { sizes[size.group] = size } }
    let deviceUnits = sizes.map(\.deviceUnits)
    let providerUnits = sizes.map(\.providerUnits)
    let provider = spills.map(\.provider)
    let device = spills.map(\.device)
    let sorted = Mutex<[Int: Result<SortedLog, SimulatorError>]>([:])
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      let result: Result<SortedLog, SimulatorError>
      do throws(SimulatorError) {
        result = .success(
          number == 0
            ? try sortLog(
              device, units: deviceUnits, world.buckets,
              to: directory + "/device.ndjson")
            : try sortLog(
              provider, units: providerUnits, world.buckets,
              to: directory + "/provider.ndjson"))
      } catch {
        result = .failure(error)
      }
      sorted.withLock { $0[number] = result }
    }
    let results = sorted.withLock { $0 }
    guard let first = results[0], let second = results[1] else {
      throw .file(path: directory, operation: "sort the logs in", code: 0)
    }
    let deviceLog = try first.get()
    let providerLog = try second.get()
    let truth = try writeTruth(
      spills.map(\.truth), provider: providerLog, device: deviceLog,
      to: directory + "/truth.ndjson")
    let facts = releaseFacts()
    var factsWriter = ByteWriter(capacity: 1 << 16)
    factsWriter.string(facts)
    let factsFile = try OutputFile(path: directory + "/facts.json")
    try factsFile.write(factsWriter.base, factsWriter.count)
    try factsFile.close()
    let bundles = try writeBundles(to: directory)
    var result = summary(
      world, spills,
      files: [
        SimulatedFile(
          name: "provider.ndjson", lines: providerLog.lines, bytes: providerLog.bytes),
        SimulatedFile(name: "device.ndjson", lines: deviceLog.lines, bytes: deviceLog.bytes),
        truth,
        SimulatedFile(
          name: "facts.json", lines: facts.utf8.count { $0 == 0x0A }, bytes: facts.utf8.count),
      ])
    result.bundles = bundles
    return result
  }

  private static func summary(
    _ world: World, _ spills: [GroupWriter.Spills], files: [SimulatedFile]
  ) -> SimulatorSummary {
    var broken = Array(repeating: 0, count: PlantedCause.allCases.count)
    var result = SimulatorSummary(
      files: files, notifications: 0, phones: world.counts.count, broken: 0, brokenDecidable: 0,
      decidable: 0, causes: [])
    for spill in spills {
      result.notifications += spill.tally.notifications
      result.brokenDecidable += spill.tally.brokenDecidable
      result.decidable += spill.tally.decidable
      for (index, count) in spill.tally.broken.enumerated() { broken[index] += count }
    }
    for cause in PlantedCause.allCases where broken[Int(cause.rawValue)] > 0 {
      let count = broken[Int(cause.rawValue)]
      result.causes.append(SimulatorSummary.CauseCount(cause: cause, count: count))
      result.broken += count
    }
    return result
  }
}
