internal import Linux
internal import Registration
internal import UnixSocket

/// Why regd did not start, and the exit status that says so (sysexits(3)).
package struct StartupFailure: Error, Equatable, CustomStringConvertible {
  package enum Status: Int32, Sendable {
    /// A service that is needed is missing (EX_UNAVAILABLE).
    case unavailable = 69
    /// The operating system refused something (EX_OSERR).
    case operatingSystem = 71
    /// The configuration is wrong (EX_CONFIG).
    case configuration = 78
  }

  package let status: Status
  package let description: String

  package init(_ status: Status, _ description: String) {
    self.status = status
    self.description = description
  }

  package init(_ error: ConfigurationError) { self.init(.configuration, error.description) }

  init(_ failure: StoreFailure, of backend: any StoreBackend) {
    let store = backend.path.map { "the store \($0)" } ?? "the store"
    let reason =
      switch failure {
      case .unavailable(let detail), .unknown(let detail): detail
      case .cancelled: "it was given up"
      case .full: "there is no room"
      case .readOnly: "it may not be written"
      }
    self.init(.unavailable, "\(store) cannot be opened: \(reason)")
  }

  init(_ failure: NetworkOpeningFailure) {
    switch failure {
    case .configuration(let reason): self.init(.configuration, reason)
    case .operatingSystem(let reason): self.init(.operatingSystem, reason)
    }
  }

  init(_ failure: ListenFailure, _ path: String) {
    switch failure {
    case .pathTooLong(let limit):
      self.init(.configuration, "socket.path: \(path) is too long for a socket; \(limit) bytes are possible")
    case .notASocket:
      self.init(.operatingSystem, "\(path) is there and is no socket; regd leaves it alone and does not start")
    case .owned(let holder):
      let who = holder.map { "process \($0)" } ?? "another process"
      self.init(.operatingSystem, "\(path) belongs to \(who), which runs")
    case .newOwned:
      self.init(
        .operatingSystem,
        "\(path).new, the name under which regd makes its socket, belongs to another process, which runs")
    case .notALockFile(let problem):
      self.init(
        .operatingSystem,
        "\(path).lock \(Self.describe(problem)); regd leaves it alone and does not start. Right is a file that regd has made: move this one away"
      )
    case .system(let call, let number):
      self.init(.operatingSystem, "\(path): \(call) failed: \(SystemError.text(number))")
    }
  }

  private static func describe(_ problem: LockFile.Problem) -> String {
    switch problem {
    case .noRegularFile: "is no regular file"
    case .symbolicLink: "is a symbolic link"
    case .linked: "has other names too (a hard link)"
    case .owner(let uid): "belongs to uid \(uid)"
    case .content: "has something else in it than a process id"
    }
  }
}
