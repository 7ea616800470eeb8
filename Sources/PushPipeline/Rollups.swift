import PushModel
import PushStore

extension RollupDelta {
  /// Adds a row's counts, or takes them away (`sign` -1).
  mutating func add(_ row: NotificationRow, sign: Int64) {
    let day = Int32(truncatingIfNeeded: row.id >> 48)
    let group = RollupDelta.group(row)
    let verdict = row.verdict
    func key(
      _ dimension: RollupKey.Dimension, _ value: Symbol, build: Symbol = Symbol(.empty),
      stage: UInt8? = nil
    ) -> RollupKey {
      RollupKey(
        day: day, app: row.app, dimension: dimension, value: value, build: build,
        meaningClass: group, judgement: verdict.judgement, step: verdict.step,
        cause: verdict.cause, confidence: verdict.confidence, stage: stage)
    }
    let none = Symbol(.empty)
    totals.add(key(.all, none, stage: verdict.stage.rawValue | row.seen << 4), sign)
    topics.add(key(.topic, row.topic.symbol ?? none), sign)
    campaigns.add(key(.campaign, row.campaign.symbol ?? none), sign)
    phones.add(
      PhoneKey(
        release: key(.release, row.version, build: row.build), os: row.os, model: row.model), sign)

    if row.isReplaced, verdict.judgement == .asMeant {
      var release = key(.release, row.version, build: row.build)
      // What is counted once more needs no telling apart by how sure the judgement is.
      (release.step, release.cause, release.confidence) = (nil, nil, .possible)
      replaced.add(
        ReplacedKey(
          phone: PhoneKey(release: release, os: row.os, model: row.model),
          topic: row.topic.symbol ?? none, campaign: row.campaign.symbol ?? none), sign)
    }
    apps[row.numbers.app, default: 0] += sign
    let link: UInt8 = row.sends == 0 ? 3 : row.events == 0 ? 2 : row.link.isGuess ? 1 : 0
    answers.add(
      AnswerKey(
        day: day, app: row.app, status: row.sends == 0 ? -1 : row.status,
        reason: row.reason.symbol ?? none, link: link), sign)
    releaseInstallations.add(
      InstallationKey(
        app: row.numbers.app, installation: row.installation, meaningClass: group,
        judgement: verdict.judgement, step: verdict.step, cause: verdict.cause, link: link,
        isCovered: row.isCovered,
        isOnlyAccepted: verdict.judgement == .asMeant && verdict.confidence == .possible
          && group != MeantGroup.other.rawValue), sign)
    if row.download >= 0 {
      timings.add(
        TimingKey(
          day: day, app: row.app, version: row.version, build: row.build, isDownload: true,
          bucket: Int16(truncatingIfNeeded: Histogram.bucket(of: row.download))), sign)
    }
    if row.handler >= 0 {
      timings.add(
        TimingKey(
          day: day, app: row.app, version: row.version, build: row.build, isDownload: false,
          bucket: Int16(truncatingIfNeeded: Histogram.bucket(of: row.handler))), sign)
    }
  }

  /// The group of a row as a number of `day_rollup.class`.
  static func group(_ row: NotificationRow) -> UInt8 {
    MeantGroup(kind: row.kind, meaning: row.meant).rawValue
  }

  /// Adds all counts of another delta.
  mutating func merge(_ other: RollupDelta) {
    totals.add(other.totals)
    topics.add(other.topics)
    campaigns.add(other.campaigns)
    phones.add(other.phones)
    replaced.add(other.replaced)
    releaseInstallations.add(other.releaseInstallations)
    answers.add(other.answers)
    timings.add(other.timings)
    changes.merge(other.changes, uniquingKeysWith: +)
    apps.merge(other.apps, uniquingKeysWith: +)
    installations.merge(other.installations) { left, right in
      (left.seen + right.seen, left.logging + right.logging, left.gapless + right.gapless)
    }
  }
}
