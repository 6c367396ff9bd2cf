internal import CSystemd
internal import Glibc

/// The service manager that started this process, if one did (sd_notify(3)). Where there is none, nothing happens.
package struct ServiceManager: Sendable {
  package init() {}

  /// Start-up is over. - Parameter status: One line for `systemctl status`.
  package func ready(status: String) { notify("READY=1\nSTATUS=\(line(status))") }

  package func stopping(status: String) { notify("STOPPING=1\nSTATUS=\(line(status))") }

  /// Descriptors of the sockets that were passed in (sd_listen_fds(3)). The environment variables that say so are
  /// removed, so that no child takes them for its own.
  package func takeListeningSockets() throws(PassedSocketFailure) -> [Int32] {
    let count = sd_listen_fds(1)
    guard count >= 0 else { throw PassedSocketFailure(errorNumber: -count) }
    let first = Int32(SD_LISTEN_FDS_START)
    let descriptors = (0..<count).map { first + $0 }
    for descriptor in descriptors {
      let verdict = sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0)
      guard verdict > 0 else { throw PassedSocketFailure(errorNumber: verdict < 0 ? -verdict : EINVAL) }
    }
    return descriptors
  }

  private func notify(_ state: String) { _ = sd_notify(0, state) }

  private func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

/// What was passed in cannot be used: it is no listening Unix stream socket.
package struct PassedSocketFailure: Error, Equatable {
  /// As errno(3) has it.
  package let errorNumber: Int32
}
