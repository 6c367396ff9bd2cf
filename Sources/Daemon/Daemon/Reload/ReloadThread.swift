internal import Synchronization
internal import Waiting
internal import WorkerThreads

/// Reads the values of a configuration for a reload, on a separate thread, because the machine may look up users and groups
/// at a server that does not answer (`SystemNames`). The reload then gives up, so that the next one gets its turn, and
/// regd can stop. A start has no such limit: regd cannot begin without the names, and the service manager limits starts.
final class ReloadThread: Sendable {
  private let thread: WorkerThreads
  private let names: SystemNames
  private let limit: Duration
  /// The number of the last reading.
  private let last = Atomic(0)

  /// - Parameter limit: How long a reading may take. The default is shorter than the limits of callers and of the unit.
  init(
    _ names: SystemNames = SystemNames(), limit: Duration = .seconds(20)
  ) throws(WorkerThreads.StartFailure) {
    thread = try WorkerThreads(name: "regd-names", count: 1)
    (self.names, self.limit) = (names, limit)
  }

  /// Reads a configuration. Only one reading may be awaited at a time.
  ///
  /// - Throws: All problems of the configuration; or one that tells what has no answer, if the reading takes longer than
  ///   the limit, or the task is cancelled.
  func configuration(of layers: UnreadConfiguration) async throws(ConfigurationError) -> Configuration {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    let outcome = Promise<Result<Configuration, ConfigurationError>?>()
    thread.submit { [self] in
      // an earlier reading has blocked the thread until the reload of this one gave up, too
      guard last.load(ordering: .relaxed) == number else { return }
      let read: Result<Configuration, ConfigurationError> = Result { () throws(ConfigurationError) in
        try layers.configuration(names)
      }
      outcome.fulfill(read)
    }
    let read = await withTaskGroup(of: Void.self, returning: Result<Configuration, ConfigurationError>?.self) { group in
      group.addTask { [limit] in
        try? await Task.sleep(for: limit)
        outcome.fulfill(nil)
      }
      let read = await outcome.value { outcome.fulfill(nil) }
      group.cancelAll()
      return read
    }
    if let read { return try read.get() }
    throw ConfigurationError(problems: [ConfigurationProblem(place: layers.place, key: nil, message: obstacle)])
  }

  /// Why the reading was given up.
  private var obstacle: String {
    let seconds = "\(ConfiguredKey.Value.number(limit)) s"
    if Task.isCancelled { return "it is not read, because regd is stopping" }
    guard let name = names.current else { return "it could not be read within \(seconds); reload again" }
    return
      "this machine has not found the \(name) within \(seconds); check the services in /etc/nsswitch.conf, for example with: \(name.command)"
  }
}
