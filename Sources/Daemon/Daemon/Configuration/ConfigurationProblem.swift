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
