/// One thing that is wrong with the configuration: where it stands, which key it is, what would be right.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
  /// `/etc/regd/regd.yaml:12`, `REGD_STORE_BACKEND` or `--store-backend`.
  package let place: String
  /// Nil if no key could be made out.
  package let key: String?
  package let message: String

  package init(place: String, key: String?, message: String) {
    self.place = place
    self.key = key
    self.message = message
  }

  package var description: String {
    Self.visible(key.map { "\(place): \($0): \(message)" } ?? "\(place): \(message)")
  }

  /// The text with what a terminal or a log would take for a command written out: names and values are those of a file, of
  /// the environment and of the command line.
  private static func visible(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { visible, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: visible += scalar.escaped(asASCII: true)
      default: visible.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Everything that is wrong with the configuration.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package let problems: [ConfigurationProblem]

  package init(problems: [ConfigurationProblem]) { self.problems = problems }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
