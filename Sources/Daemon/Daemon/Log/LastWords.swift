internal import Linux
internal import Logging

/// Why regd ends, for its operator: in the journal with fields, elsewhere as text.
package enum LastWords {
  /// Returns when it is written, or a second later: a reader that has stopped reading does not keep regd from ending.
  ///
  /// - Parameter reason: One problem a line.
  package static func say(_ reason: String, _ status: StartupFailure.Status) {
    let output = LogOutput(Descriptor.standardError.number)
    guard output.format == .journal, let log = try? DaemonLog(level: .info, output: output) else {
      _ = StandardError.write(Array("regd: \(reason)\n".utf8), stalled: DaemonLog.patience)
      return
    }
    for line in reason.split(separator: "\n") {
      log.logger.write(.startFailed, "\(LogMessage.startFailed.text): \(line)", ["status": "\(status.rawValue)"])
    }
    log.end()
  }
}
