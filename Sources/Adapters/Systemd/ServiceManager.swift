internal import CSystemd
internal import Linux

/// The service manager that started this process (sd_notify(3)). Without one, every notification is a no-op.
package struct ServiceManager: Sendable {
  package init() {}

  /// Notifies the service manager that start-up has ended.
  ///
  /// - Parameter status: One line for `systemctl status`. A control character in it becomes a space.
  package func ready(status: String) { notify("READY=1\nSTATUS=\(Self.line(status))") }

  /// Tells the service manager that this process reloads its configuration, until it calls `ready` (sd_notify(3)).
  package func reloading(status: String) {
    notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.microseconds)\nSTATUS=\(Self.line(status))")
  }

  /// Tells the service manager that this process has begun to stop.
  package func stopping(status: String) { notify("STOPPING=1\nSTATUS=\(Self.line(status))") }

  /// Reports to the service manager what this process does, or what is wrong.
  ///
  /// - Parameter status: One line for `systemctl status`. A control character in it becomes a space.
  package func status(_ status: String) { notify("STATUS=\(Self.line(status))") }

  /// Asks the service manager for more time to start. The start fails unless `ready` or another such call follows within `time`
  /// (`TimeoutStartSec=`, systemd.service(5)).
  package func extendStart(by time: Duration, status: String) {
    notify("EXTEND_TIMEOUT_USEC=\(time.components.seconds * 1_000_000)\nSTATUS=\(Self.line(status))")
  }

  /// Tells the service manager that this process is alive. The manager kills the process after `watchdogInterval`
  /// without a beat.
  package func beat() { notify("WATCHDOG=1") }

  /// How long the service manager waits for the next beat (`WatchdogSec=`, sd_watchdog_enabled(3)), or nil if it
  /// expects no beat.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
  }

  /// Whether there is a service manager to notify.
  package var isThere: Bool { !(ThisProcess.variable("NOTIFY_SOCKET") ?? "").isEmpty }

  /// Returns the sockets that were passed in (sd_listen_fds(3)), and removes the environment variables that announce
  /// them, so that no child uses them. The caller owns the descriptors.
  ///
  /// - Throws: If one of them is not a listening stream socket of Unix or TCP. All remain open.
  package func takeListeningSockets() throws(PassedSocketFailure) -> [PassedSocket] {
    let names = (ThisProcess.variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
    let count = sd_listen_fds(1)
    guard count >= 0 else { throw PassedSocketFailure(errorNumber: -count) }
    let first = Int32(SD_LISTEN_FDS_START)
    let descriptors = (0..<count).map { first + $0 }
    for descriptor in descriptors {
      let verdict = systemd_is_listening_stream(descriptor)
      guard verdict > 0 else {
        throw PassedSocketFailure(errorNumber: verdict < 0 ? -verdict : SystemError.invalidArgument)
      }
    }
    return descriptors.enumerated().map { place, descriptor in
      PassedSocket(name: place < names.count ? String(names[place]) : "", descriptor: descriptor)
    }
  }

  private func notify(_ state: String) { _ = sd_notify(0, state) }

  /// The text as the value of one variable of sd_notify(3). Each control character, and each other character that ends a line,
  /// becomes a space.
  static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}

/// A socket that the service manager passed in.
package struct PassedSocket: Equatable, Sendable {
  /// The unit's `FileDescriptorName=`, or without it, the unit's name (systemd.socket(5)). It is "" if the socket has no name.
  package let name: String
  package let descriptor: Int32

  package init(name: String, descriptor: Int32) { (self.name, self.descriptor) = (name, descriptor) }
}

/// The service manager passed in a descriptor that is not a listening stream socket of Unix or TCP, or sd_listen_fds(3)
/// failed.
package struct PassedSocketFailure: Error, Equatable {
  /// The errno(3) value.
  package let errorNumber: Int32
}
