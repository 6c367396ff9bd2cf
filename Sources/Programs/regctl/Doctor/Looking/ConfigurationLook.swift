internal import ConfigurationFile
internal import Linux
internal import Localization
internal import RegdClient
internal import RegdProcesses

/// Reads the running regd's configuration, as far as it is visible, and has regd check it.
struct ConfigurationLook {
  /// The running regd's arguments. Empty if they cannot be read.
  private let arguments: [String]
  private let variables: [String: String]
  private let path: String
  /// Whether the path of the file is named explicitly. regd then does not start without the file.
  private let isNamed: Bool

  /// - Parameter path: The configuration file, or nil for the file that the running regd has read.
  init(_ path: String?, daemon: DaemonFacts) {
    let running = daemon.pid.map { Self.list("/proc/\($0)/cmdline") } ?? []
    arguments = Array(running.dropFirst())
    let pairs = (daemon.pid.map { Self.list("/proc/\($0)/environ") } ?? []).compactMap { entry -> (String, String)? in
      guard let equals = entry.firstIndex(of: "=") else { return nil }
      return (String(entry[..<equals]), String(entry[entry.index(after: equals)...]))
    }
    variables = Dictionary(pairs) { first, _ in first }
    let named =
      path ?? daemon.status.result?["configuration"]?["file"]?.string
      ?? ConfiguredValues.value(of: "--config", in: arguments)
    let known = named ?? Self.path(of: daemon.unit)
    // the shipped units name their file
    isNamed = named != nil || arguments.isEmpty && daemon.unitState["LoadState"] == "loaded"
    // a regd that was started by hand may have got a path relative to its working directory
    let start = path == nil ? daemon.pid.flatMap { FileSystem.linkTarget("/proc/\($0)/cwd") } : nil
    self.path = known.hasPrefix("/") ? known : start.map { "\($0)/\(known)" } ?? known
  }

  /// The path in the shipped units: `regd@NAME.service` reads /etc/regd/NAME.yaml.
  static func path(of unit: String) -> String {
    guard let name = unit.wholeMatch(of: /regd@(.+)\.service/)?.output.1 else { return ConfigurationFacts().path }
    return "/etc/regd/\(name).yaml"
  }

  private static func list(_ path: String) -> [String] {
    ((try? FileReading.bytes(path)) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  func look(program: String?, daemon: DaemonFacts, now: Int) -> ConfigurationFacts {
    var facts = ConfigurationFacts(path: path)
    facts.modified = (try? FileStatus(path))?.modified
    facts.loaded = daemon.info.result?["uptimeSeconds"]?.integer.map { now - $0 }
    let text: String?
    do throws(FileReading.Failure) { text = try FileReading.text(path) } catch {
      text = nil
      if !error.isNotFound {
        let sentence = LocalizedMessage(
          DoctorConfigurationMessageKey.fileReason, ["file": .text(path), "reason": "\(error)"])
        facts.check = .notDone(.sentence(sentence))
      }
    }
    let entries = text.flatMap { try? ConfigurationFile(yaml: $0) }?.entries ?? []
    facts.values = ConfiguredValues(
      file: entries, credentials: credentials, variables: variables, arguments: arguments)
    if facts.check == .notAsked { facts.check = check(program, isNamed: isNamed || text != nil) }
    return facts
  }

  /// The upstream's token that systemd has passed to regd. Empty if this user cannot read it.
  private var credentials: [String: String] {
    let token = "network.http.bearerToken"
    guard let directory = variables["CREDENTIALS_DIRECTORY"],
      let text = try? FileReading.text("\(directory)/\(token.replacing(".", with: "-"))")
    else { return [:] }
    return [token: text.filter { !$0.isWhitespace }]
  }

  /// Runs `regd --check-config` with the file, the variables and the arguments of the running regd.
  ///
  /// - Parameter isNamed: False to check the defaults, without a file.
  private func check(_ program: String?, isNamed: Bool) -> ConfigurationFacts.CheckResult {
    let known = [program, "\(ProgramDirectory.own)/regd", "/usr/bin/regd"].compactMap { $0 }
    guard let regd = known.first(where: FileSystem.isExecutable) else {
      return .notDone(
        .sentence(LocalizedMessage(DoctorConfigurationMessageKey.noRegd, ["regd": .text(known.last ?? "regd")])))
    }
    let layers = variables.filter { $0.key.hasPrefix("REGD_") || $0.key == "CREDENTIALS_DIRECTORY" }
    let given = ["--check-config"] + (isNamed ? ["--config", path] : []) + arguments.withoutOption("--config")
    let run = Result {
      try TemporaryDirectory.with {
        try RegdProcess.run(program: regd, arguments: given, environment: layers, directory: $0)
      }
    }
    switch run {
    case .failure(let error): return .notDone("\(error)")
    case .success(let run) where run.status == 0: return isNamed ? .good : .defaults
    case .success(let run):
      return .bad(run.output.split(separator: "\n").map { $0.trimmingPrefix("regd: ") }.joined(separator: "; "))
    }
  }
}

extension [String] {
  /// The arguments without an option and its value.
  fileprivate func withoutOption(_ name: String) -> [String] {
    var rest: [String] = []
    var skips = false
    for word in self {
      if skips {
        skips = false
      } else if word == name {
        skips = true
      } else if !word.hasPrefix("\(name)=") {
        rest.append(word)
      }
    }
    return rest
  }
}
