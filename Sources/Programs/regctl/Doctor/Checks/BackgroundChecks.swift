internal import Localization
internal import RegctlCommandLine
internal import RegdClient

/// Checks whether the work that regd repeats in the background succeeds.
enum BackgroundChecks {
  static func tasks(_ facts: Facts) -> Finding? {
    // if regd does not give its status, the check `store` has a finding already
    guard let status = facts.daemon.status.result else { return nil }
    let tasks = status["failingTasks"]?.array ?? []
    let failing = tasks.map(sentence)
    guard let first = failing.first else { return .ok(LocalizedMessage(DoctorBackgroundMessageKey.works)) }
    let seen = failing.dropFirst().reduce(first) { all, next in
      LocalizedMessage(DoctorDoorMessageKey.both, ["first": .sentence(all), "second": .sentence(next)])
    }
    let path = status["store"]?["path"]?.string
    let search = tasks.compactMap { StoreChecks.searchForOtherProgram($0.shown("reason"), path) }.first
    return .problem(seen, type: search ?? "journalctl -u \(facts.daemon.unit) -n 50")
  }

  /// Describes a member of `failingTasks` in `daemon.status`.
  static func sentence(of task: JSONValue) -> LocalizedMessage {
    LocalizedMessage(
      StatusMessageKey.taskFails,
      [
        "task": .text(task.shown("name")), "time": .text(task.shown("since")),
        "count": .number(task["failures"]?.integer ?? 0), "reason": .text(task.shown("reason")),
      ])
  }
}
