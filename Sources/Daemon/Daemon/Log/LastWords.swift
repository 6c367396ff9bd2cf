internal import Linux
internal import Logging
internal import Systemd

/// Why regd ends, for its operator: in the journal with fields, elsewhere as text.
package enum LastWords {
  /// Writes to standard error what is no reason to end.
  package static func warn(_ message: String) {
    _ = StandardError.write(Array("regd: warning: \(message)\n".utf8), stalled: DaemonLog.patience)
  }

  /// Returns when it is written, or a second later: a reader that has stopped reading does not keep regd from ending.
  ///
  /// - Parameter reason: One problem a line.
  package static func say(_ reason: String, _ status: StartupFailure.Status) {
    // for callers that wait, and may not read the journal
    ServiceManager().status("Did not start: \(reason)")
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
