internal import Linux
internal import Logging
internal import Systemd

/// Tells the operator why regd ends: in the journal with fields, elsewhere as text.
package enum LastWords {
  /// Writes a warning to standard error. regd continues.
  package static func warn(_ message: String) {
    _ = StandardError.write(Array("regd: warning: \(message)\n".utf8), stalled: DaemonLog.patience)
  }

  /// Writes the reason why regd ends. Returns once the reason is written, but after a second at most, because the
  /// reader of standard error may have stopped reading.
  ///
  /// - Parameter reason: One problem per line.
  package static func say(_ reason: String, _ status: StartupFailure.Status) {
    // systemctl status shows this to users who may not read the journal
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
