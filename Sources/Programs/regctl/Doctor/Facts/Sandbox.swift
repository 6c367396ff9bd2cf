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
