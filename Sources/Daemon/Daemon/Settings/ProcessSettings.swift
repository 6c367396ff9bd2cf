internal import Logging

/// `log`: what is written to standard error.
package struct LogSettings: Equatable, Sendable {
  /// A level of swift-log.
  package var level: String

  init(_ reader: inout SettingsReader) {
    level = reader.choice("log.level", default: "info", of: Logger.Level.allCases.map(\.rawValue))
  }
}

/// `shutdown`: how regd stops.
package struct ShutdownSettings: Equatable, Sendable {
  /// How long requests in flight may take after SIGTERM.
  package var graceSeconds: Int

  init(_ reader: inout SettingsReader) {
    graceSeconds = reader.integer("shutdown.graceSeconds", default: 10, 0...3600)
  }
}
