internal import AsyncPrimitives
internal import Synchronization
internal import WorkerThreads

/// Reads the values of a configuration for a reload, on a separate thread, because the machine may look up users and groups
/// at a server that does not answer (`SystemNames`). The reload then uses the ids of the running configuration, so that an
/// operator can still change the rest. A start has no such limit: regd cannot begin without the names, and the service
/// manager limits starts.
final class ReloadThread: Sendable {
  private let thread: WorkerThreads
  private let lookUp: SystemNames.LookUp
  private let limit: Duration
  /// The number of the last reading.
  private let last = Atomic(0)
  /// The names of the reading that the thread began last.
  private let begun = Mutex<SystemNames?>(nil)

  /// - Parameter limit: How long a reading may take while the machine is not suspended. The default is shorter than the
  ///   limits of callers and of the unit.
  init(
    _ lookUp: @escaping SystemNames.LookUp = SystemNames.machine, limit: Duration = .seconds(20)
  ) throws(WorkerThreads.StartFailure) {
    thread = try WorkerThreads(name: "regd-names", count: 1)
    (self.lookUp, self.limit) = (lookUp, limit)
  }

  /// Reads a configuration. Only one reading may be awaited at a time.
  ///
  /// If the machine does not answer a look-up within the limit, reads the configuration with the ids that are known: those of
  /// the running configuration, and those of look-ups that this reading has done before.
  ///
  /// - Parameter running: The running configuration, or nil for none.
  /// - Throws: All problems of the configuration, among them each name without a known id if the machine does not answer.
  ///   Throws a single problem if the reading takes longer than the limit for another reason, or the task is cancelled.
  func configuration(
    of layers: UnreadConfiguration, after running: Configuration? = nil
  ) async throws(ConfigurationError) -> Configuration {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    let known = running?.names ?? [:]
    let names = SystemNames(lookUp, lastKnown: known)
    if let read = await outcome(of: layers, names, number) { return try read.get() }
    guard !Task.isCancelled, begun.withLock({ $0 })?.current != nil else {
      throw ConfigurationError(problems: [ConfigurationProblem(place: layers.place, key: nil, message: obstacle)])
    }
    let found = known.merging(names.ids) { _, new in new }
    return try layers.configuration(SystemNames(silentFor: limit, lastKnown: found, home: running?.home))
  }

  /// Nil if the thread has not read the configuration within the limit, or the task is cancelled.
  private func outcome(
    of layers: UnreadConfiguration, _ names: SystemNames, _ number: Int
  ) async -> Result<Configuration, ConfigurationError>? {
    let outcome = Promise<Result<Configuration, ConfigurationError>?>()
    thread.submit { [self] in
      // an earlier reading has blocked the thread until the reload of this one gave up, too
      guard last.load(ordering: .relaxed) == number else { return }
      begun.withLock { $0 = names }
      let read: Result<Configuration, ConfigurationError> = Result { () throws(ConfigurationError) in
        try layers.configuration(names)
      }
      outcome.fulfill(read)
    }
    return await withTaskGroup(of: Void.self, returning: Result<Configuration, ConfigurationError>?.self) { group in
      group.addTask { [limit] in
        // on the continuous clock, a machine that was suspended for that long would refuse each reload in progress
        try? await Task.sleep(for: limit, clock: .suspending)
        outcome.fulfill(nil)
      }
      let read = await outcome.value { outcome.fulfill(nil) }
      group.cancelAll()
      return read
    }
  }

  /// Why the reading was given up.
  private var obstacle: String {
    Task.isCancelled
      ? "it is not read, because regd is stopping"
      : "it could not be read within \(ConfiguredKey.Value.number(limit)) s; reload again"
  }
}
