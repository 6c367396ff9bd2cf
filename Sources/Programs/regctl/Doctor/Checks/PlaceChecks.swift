internal import Linux
internal import Localization

/// Checks whether regd's unit, with its user and its sandbox, may write to the directory of a file-based store.
enum PlaceChecks {
  /// Finds an obstacle in the unit's sandbox, or in its user's rights. Nil if there is no obstacle. Also nil if regd
  /// answers, because a regd that runs can write.
  static func barred(_ place: PlaceFacts, _ daemon: DaemonFacts) -> Finding? {
    guard daemon.info.result == nil else { return nil }
    if let finding = sandboxed(place, daemon) { return finding }
    func said(_ key: DoctorStoreMessageKey, _ place: String) -> LocalizedMessage {
      LocalizedMessage(key, ["place": .text(place)])
    }
    switch place.obstacle {
    case .noDirectory(let path): return .problem(said(.noDirectory, path), type: "ls -ld \(path)")
    case .noFile(let path, _): return .problem(said(.noFile, path), type: "ls -ld \(path)")
    case .denied(let path, let status):
      let user = daemon.unitState["User"] ?? "regd"
      let owner = UserDatabase.name(ofUser: status.owner) ?? "\(status.owner)"
      let isOnTheWay = status.kind == .directory && path != place.path
      return .problem(
        LocalizedMessage(
          DoctorStoreMessageKey.denied,
          [
            "place": .text(path), "owner": .text(owner), "mode": .text("0" + String(status.permissions, radix: 8)),
            "unit": .text(daemon.unit), "user": .text(user),
          ]),
        type: isOnTheWay ? "chmod o+x \(path)" : "chown \(user): \(path)")
    // other checks report these, because they bar every user of the machine
    case .missing, .readOnly, .hidden, .full, nil: return nil
    }
  }

  private static func sandboxed(_ place: PlaceFacts, _ daemon: DaemonFacts) -> Finding? {
    func said(_ key: DoctorStoreMessageKey) -> LocalizedMessage {
      LocalizedMessage(key, ["directory": .text(place.path), "unit": .text(daemon.unit)])
    }
    let edit = "systemctl edit \(daemon.unit)   # [Service] ReadWritePaths=\(place.path)"
    switch Sandbox(daemon.unitState).bar(FileSystem.resolved(place.path) ?? place.path) {
    case .readOnly:
      let making = place.isThere ? "" : "install -d -o \(daemon.unitState["User"] ?? "regd") -m 700 \(place.path); "
      return .problem(said(.sandboxed), type: making + edit)
    case .hidden:
      return .problem(said(.hidden), type: "systemctl edit \(daemon.unit)   # [Service] ProtectHome=no")
    case nil: return nil
    }
  }
}

/// Judges by a unit's properties (systemd.exec(5)) whether the unit's sandbox keeps regd from writing to a directory.
/// Ignores properties about directories that never contain a database.
struct Sandbox {
  enum Bar: Equatable { case readOnly, hidden }

  private let properties: [String: String]

  /// - Parameter properties: The properties as systemctl show prints them. Without properties, no directory is barred.
  init(_ properties: [String: String]) { self.properties = properties }

  /// - Parameter directory: An absolute path without symbolic links.
  func bar(_ directory: String) -> Bar? {
    func isBelow(_ places: [String]) -> Bool { places.contains { directory == $0 || directory.hasPrefix("\($0)/") } }
    if isBelow(["/home", "/root", "/run/user"]) {
      switch properties["ProtectHome"] {
      case "yes", "tmpfs": return .hidden
      case "read-only": return isBelow(writable) ? nil : .readOnly
      default: break
      }
    }
    let isProtected =
      switch properties["ProtectSystem"] {
      case "strict": !isBelow(["/dev", "/proc", "/sys"])
      case "full": isBelow(["/usr", "/boot", "/efi", "/etc"])
      case "yes": isBelow(["/usr", "/boot", "/efi"])
      default: false
      }
    return isProtected && !isBelow(writable) ? .readOnly : nil
  }

  private var writable: [String] {
    words("ReadWritePaths").map { String($0.drop { $0 == "-" || $0 == "+" }) }
      + words("StateDirectory").map { "/var/lib/\($0)" }
  }

  private func words(_ name: String) -> [Substring] { (properties[name] ?? "").split(separator: " ") }
}
