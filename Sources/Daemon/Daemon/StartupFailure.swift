internal import Linux
internal import Registration
internal import UnixSocket

/// Why regd did not start, and its exit status (sysexits(3)).
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

  package init(_ error: ConfigurationError) {
    // After an outage, systemd soon starts regd again. A wrong configuration waits for the operator.
    self.init(error.problems.allSatisfy { $0.isOutage } ? .unavailable : .configuration, error.description)
  }

  /// - Parameter place: Returns the place, such as a file and line, where the configuration sets a key. Nil means to
  ///   leave it out of the message.
  init(
    _ failure: StoreFailure, of backend: any StoreBackend, place: (_ key: String) -> String? = { _ in nil }
  ) {
    let reason =
      switch failure {
      case .unavailable(let detail), .unknown(let detail): detail
      case .cancelled: "it was cancelled"
      case .full: "the store is full"
      case .readOnly: "it is read-only"
      }
    guard let file = backend.files.first(where: \.isWritten) else {
      self.init(.unavailable, "the store cannot be opened: \(reason)")
      return
    }
    let found = PathObstacle.find(file: file.path, endings: file.companions.map(\.suffix))
    let message = "the store \(file.path) cannot be opened: \(found.map { ObstacleText($0, file.path).text } ?? reason)"
    self.init(.unavailable, [place(file.key), file.key, message].compactMap { $0 }.joined(separator: ": "))
  }

  init(_ failure: NetworkOpeningFailure) {
    switch failure {
    case .configuration(let reason): self.init(.configuration, reason)
    case .operatingSystem(let reason): self.init(.operatingSystem, reason)
    }
  }

  init(_ failure: ListenFailure, _ place: SocketPlace) {
    let (path, section) = (place.listen.isEmpty ? place.path : place.listen, place.section)
    switch failure {
    case .pathTooLong(let limit):
      self.init(.configuration, "\(section).path: \(path) is too long for a socket; the maximum is \(limit) bytes")
    case .notASocket:
      self.init(.operatingSystem, "\(path) exists and is not a socket; regd leaves it alone and does not start")
    case .owned(let holder):
      let who = holder.map { "process \($0)" } ?? "another process"
      self.init(.operatingSystem, "\(path) belongs to \(who), which runs")
    case .newOwned:
      self.init(
        .operatingSystem,
        "\(path).new, the temporary name of regd's socket, belongs to another running process")
    case .notALockFile(let problem):
      self.init(
        .operatingSystem,
        "\(path).lock \(Self.describe(problem)); regd leaves it alone and does not start. Move this file away; regd creates its own"
      )
    case .system(let call, let number):
      self.init(.operatingSystem, Self.describe(call, number, path, section))
    }
  }

  private static func describe(_ call: String, _ number: Int32, _ path: String, _ section: String) -> String {
    if call == "chown" {
      return
        "\(section).group: \(path) cannot be given to that group (\(SystemError.text(number))): \(ObstacleText.user) must be a member of it, and a unit's SystemCallFilter= must allow it (@chown)"
    }
    if call == "chmod", FileSystem.isMissing("/proc/self/fd") {
      return
        "\(section).path: \(path): regd sets the socket's mode through /proc, which is not mounted; type mount -t proc proc /proc"
    }
    if SocketAddress(loopback: path) != nil {
      return "\(section).listen: \(path): \(call) failed: \(SystemError.text(number))"
    }
    if let obstacle = PathObstacle.find(directory: FileSystem.directory(of: path)) {
      return "\(section).path: \(path) cannot be created: \(ObstacleText(obstacle, path).text)"
    }
    return "\(section).path: \(path): \(call) failed: \(SystemError.text(number))"
  }

  private static func describe(_ problem: LockFile.Problem) -> String {
    switch problem {
    case .noRegularFile: "is not a regular file"
    case .symbolicLink: "is a symbolic link"
    case .linked: "has other names (hard links)"
    case .owner(let uid): "belongs to uid \(uid)"
    case .content: "contains something other than a process id"
    }
  }
}
