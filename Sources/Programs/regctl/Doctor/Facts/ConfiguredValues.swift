internal import ConfigurationFile

/// The configuration keys that the doctor needs, from the layers that are visible from outside: the file, and the variables and
/// the command line of the running regd.
struct ConfiguredValues: Equatable {
  private var values: [String: String] = [:]

  /// The shipped defaults of these keys. A test compares them with Config/regd.yaml.
  static let defaults = [
    "socket.group": "regd", "access.deny.uids": "", "access.deny.users": "", "access.deny.groups": "",
    "access.admin.groups": "regd-admin", "hashing.memoryKiB": "19456", "network.backend": "none",
    "network.http.baseURL": "", "network.http.caFile": "", "network.http.bearerToken": "",
    "network.http.clientCertificateFile": "", "network.http.clientKeyFile": "", "network.http.allowPlaintext": "false",
    "network.http.connectSeconds": "2", "network.http.totalSeconds": "5", "store.backend": "sqlite",
    "store.sqlite.path": "/var/lib/regd/regd.db", "limits.connections": "4096",
    "registration.approval": "none", "registration.approvedDomains": "", "registration.verification": "none",
  ]

  init() {}

  /// - Parameters:
  ///   - file: The file's entries. Empty if it cannot be read.
  ///   - credentials: Values by key from systemd's credentials. They override the file.
  ///   - variables: The environment variables of the running regd, of which HOME replaces `~` in paths.
  ///   - arguments: The arguments of the running regd, without its name.
  init(
    file: [ConfigurationFile.Entry], credentials: [String: String] = [:], variables: [String: String],
    arguments: [String]
  ) {
    for entry in file {
      switch entry.value {
      case .scalar(let text): values[entry.path.joined(separator: ".")] = text
      case .list(let items): values[entry.path.joined(separator: ".")] = items.joined(separator: ",")
      case .nothing: continue
      }
    }
    values.merge(credentials) { _, stronger in stronger }
    for key in Self.defaults.keys {
      let words = Self.words(key)
      if let value = variables["REGD_" + words.joined(separator: "_").uppercased()] { values[key] = value }
      for option in [words.joined(separator: "-"), key.replacing(".", with: "-")] {
        if let value = Self.value(of: "--\(option)", in: arguments) { values[key] = value }
      }
    }
    guard let home = variables["HOME"] else { return }
    values = values.mapValues { $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
  }

  subscript(key: String) -> String { values[key] ?? Self.defaults[key] ?? "" }

  /// The names that the operator has chosen in a section such as `doors`, sorted.
  func names(in section: String) -> [String] {
    Set(
      values.keys.filter { $0.hasPrefix("\(section).") }.map {
        String($0.dropFirst(section.count + 1).prefix { $0 != "." })
      }
    )
    .sorted()
  }

  /// Splits `network.http.baseURL` into network, http, base, url.
  private static func words(_ key: String) -> [String] {
    var words = [""]
    var wasUpper = true
    for character in key {
      if character == "." {
        words.append("")
      } else {
        if character.isUppercase, !wasUpper { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
      wasUpper = character.isUppercase || character == "."
    }
    return words
  }

  static func value(of option: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      if argument.hasPrefix("\(option)=") { return String(argument.dropFirst(option.count + 1)) }
      if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }
}
