internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Asks regd, and reads about it in /proc and systemd.
enum DaemonLook {
  /// - Parameter listener: The process that made the socket, or nil if no connection was accepted.
  static func look(at path: String, listener: Int32?, timeout: Int) -> DaemonFacts {
    var facts = DaemonFacts()
    if listener != nil {
      facts.info = ask("rpc.serverInfo", nil, path, timeout)
      switch facts.info {
      // a regd that does not answer this question, or denies this user, does not answer the others either
      case .none, .refused(-32001, _, _): break
      case .result, .refused:
        facts.status = ask("daemon.status", nil, path, timeout)
        facts.dryRun = ask("daemon.reload", .object([.init("dryRun", .bool(true))]), path, timeout)
      }
    }
    // Process 1 is systemd, which made the socket and passed it to regd. Then regd is the unit's main process.
    let isPassedIn = listener == 1
    let unit = isPassedIn ? nil : listener.flatMap { ControlGroups.service(of: "\($0)") }
    let shipped = RegdUnit.shipped(for: path)
    facts.unit = unit ?? shipped ?? facts.unit
    if isPassedIn || unit != nil || shipped != nil { facts.unitState = RegdUnit.state(of: facts.unit) }
    facts.pid = isPassedIn ? facts.unitState["MainPID"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil } : listener
    facts.descriptorLimit = facts.pid.flatMap(descriptorLimit)
    return facts
  }

  private static func ask(_ method: String, _ params: JSONValue?, _ path: String, _ timeout: Int) -> DaemonFacts.Answer
  {
    do throws(RegdClientFailure) {
      switch try RegdClient(path: path, timeoutSeconds: timeout, language: Speech.locale.wish).call(method, params) {
      case .success(let result): return .result(result)
      case .failure(let error):
        let problems = (error.data["problems"]?.array ?? []).map { ConnectionOptions.describe($0) }
        return .refused(code: error.code, message: error.message, problems: problems)
      }
    } catch { return .none(.sentence(error.sentence)) }
  }

  private static func descriptorLimit(of pid: Int32) -> Int? {
    let lines = ((try? FileReading.text("/proc/\(pid)/limits")) ?? "").split(separator: "\n")
    let words = lines.first { $0.hasPrefix("Max open files") }?.split(separator: " ") ?? []
    return words.count > 3 ? Int(words[3]) : nil
  }
}
