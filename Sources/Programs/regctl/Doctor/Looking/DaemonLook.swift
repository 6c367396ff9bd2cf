internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import Sentences

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
    facts.unit = unit ?? shippedUnit(path) ?? facts.unit
    if isPassedIn || unit != nil || shippedUnit(path) != nil { facts.unitState = state(of: facts.unit) }
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

  /// The shipped unit of a socket: /run/regd/regd.sock, and /run/regd/NAME/regd.sock for regd@NAME.
  static func shippedUnit(_ path: String) -> String? {
    if path == SocketFacts().path { return DaemonFacts().unit }
    return path.wholeMatch(of: /\/run\/regd\/([^\/]+)\/regd\.sock/).map { "regd@\($0.output.1).service" }
  }

  private static func descriptorLimit(of pid: Int32) -> Int? {
    let lines = ((try? FileReading.text("/proc/\(pid)/limits")) ?? "").split(separator: "\n")
    let words = lines.first { $0.hasPrefix("Max open files") }?.split(separator: " ") ?? []
    return words.count > 3 ? Int(words[3]) : nil
  }

  static func state(of unit: String) -> [String: String] {
    guard FileSystem.exists("/run/systemd/system") else { return [:] }
    let properties =
      "ActiveState,SubState,LoadState,MainPID,Result,NRestarts,StatusText,User,ProtectSystem,ProtectHome,ReadWritePaths,StateDirectory"
    let run = try? TemporaryDirectory.with {
      try RegdProcess.run(program: "systemctl", arguments: ["show", unit, "--property", properties], directory: $0)
    }
    guard let run, run.status == 0 else { return [:] }
    let pairs = run.output.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
