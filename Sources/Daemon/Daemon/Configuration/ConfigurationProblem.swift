internal import Linux
internal import Registration

/// One problem of the configuration: its place, its key, and a message that states the right form.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
  /// Where the problem is: `/etc/regd/regd.yaml:12`, `REGD_STORE_BACKEND`, `--store-backend`, or `default value`.
  package let place: String
  /// The key, or nil if the problem concerns no single key.
  package let key: String?
  package let message: String
  /// Whether a service of this machine has failed, so that the same configuration may be accepted later.
  package let isOutage: Bool

  package init(place: String, key: String?, message: String, isOutage: Bool = false) {
    self.place = place
    self.key = key
    self.message = message
    self.isOutage = isOutage
  }

  package var description: String {
    Self.visible(key.map { "\(place): \($0): \(message)" } ?? "\(place): \(message)")
  }

  /// Escapes characters that a terminal or a log might take for a command, because names and values come from a file, the
  /// environment and the command line.
  private static func visible(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { visible, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: visible += scalar.escaped(asASCII: true)
      default: visible.unicodeScalars.append(scalar)
      }
    }
  }
}

/// All problems of the configuration.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package let problems: [ConfigurationProblem]

  package init(problems: [ConfigurationProblem]) { self.problems = problems }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Configuration {
  /// Files, programs, users and groups that the configuration names and this process does not find, and values that are unsafe
  /// together. The configuration is valid anyway: a user other than regd's may check it, outside regd's sandbox, or before the
  /// rest is installed.
  package var warnings: [ConfigurationProblem] {
    var found: [(key: String, message: String)] = []
    if settings.registration.approvesUnverified {
      found.append(
        (
          "registration.approvedDomains",
          "registration.verification is none, so every caller can register accounts of these domains that do not wait"
        ))
    }
    found += settings.unknownMembers.map { ($0.key, $0.warning) }
    let list = settings.password.breachedList
    if !list.isEmpty, FileSystem.isMissing(list) {
      found.append(("password.breachedList", "\(list) does not exist; the rule is off until regd starts with the file"))
    }
    found += settings.mail.chosen?.absences ?? []
    found += settings.network.chosen?.absences ?? []
    for file in settings.store.chosen.files where file.isWritten {
      let obstacle = PathObstacle.find(file: file.path, endings: file.companions.map(\.suffix))
      if let obstacle, isCertain(obstacle) { found.append((file.key, ObstacleText(obstacle, file.path).text)) }
    }
    return found.map { ConfigurationProblem(place: place(of: $0.key), key: $0.key, message: $0.message) }
  }

  /// Whether regd will certainly meet the same obstacle. Under systemd it will, because this process then runs as regd
  /// does. Elsewhere regd's user may have other rights, and the unit may make the missing directory.
  private func isCertain(_ obstacle: PathObstacle) -> Bool {
    if ControlGroups.service() != nil { return true }
    switch obstacle {
    case .missing(let directory, _): return directory != StoreSettings.unitsDirectory
    case .denied, .hidden: return false
    case .readOnly(let mount): return !mount.isOnlyHere
    case .noDirectory, .noFile, .full: return true
    }
  }
}
