internal import Logging
internal import Methods
internal import Registration
internal import Tracing
internal import UnixSocket
internal import Waiting
internal import WorkerThreads

/// Reads the configuration again on request, and puts it in force as a whole or not at all. Runs on a thread of its own,
/// because reading files and stopping networks may block.
actor Reloader {
  private let source: ConfigurationSource
  private let inForce: ConfigurationInForce
  private let requests: ReloadRequests
  private let networks: OpenNetworks
  private let ground: Groundwork
  private let surroundings: Upstream.Surroundings
  private let mailSurroundings: MailSystem.Surroundings
  private let points: PointTable
  private let executor: ThreadExecutor
  private let thread: ReloadThread

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ source: ConfigurationSource, _ inForce: ConfigurationInForce, _ requests: ReloadRequests,
    _ ground: Groundwork, _ surroundings: Upstream.Surroundings,
    _ mailSurroundings: MailSystem.Surroundings, _ points: PointTable
  ) throws(WorkerThreads.StartFailure) {
    self.source = source
    self.inForce = inForce
    self.requests = requests
    self.ground = ground
    self.surroundings = surroundings
    self.mailSurroundings = mailSurroundings
    self.points = points
    networks = surroundings.networks
    executor = try ThreadExecutor(name: "regd-reload")
    thread = try ReloadThread()
  }

  typealias Tell = @Sendable (Settings, [ListeningPoint]) async -> Void

  /// Serves requests until the task is cancelled, then refuses all others.
  ///
  /// - Parameters:
  ///   - status: Makes the status line for the service manager.
  ///   - tell: Passes the new settings to the connections, and the listening points to the server.
  func run(status: @Sendable (Settings) -> String, tell: Tell) async {
    while !Task.isCancelled {
      networks.stopIdle()
      guard let request = requests.take() else {
        await requests.wait()
        continue
      }
      let outcome = await Trace.$current.withValue(request.trace) {
        request.isTrial ? await check() : await reload(request.hold, status, tell)
      }
      request.reply?.fulfill(outcome)
      if request.reply == nil, outcome == .stopping { ground.logger.write(.reloadTooLate) }
    }
    if requests.close() { ground.logger.write(.reloadTooLate) }
  }

  private func check() async -> ReloadOutcome {
    do throws(ConfigurationError) {
      let (_, changed) = try await prepare()
      return .done(generation: inForce.state.value.generation, changed: changed)
    } catch {
      return Task.isCancelled ? .stopping : .refused(error)
    }
  }

  private func reload(
    _ hold: String?, _ status: @Sendable (Settings) -> String, _ tell: Tell
  ) async -> ReloadOutcome {
    ground.service.reloading()
    defer {
      let settings = inForce.settings
      ground.service.reloaded(status(settings), defers: settings.network.whenUnreachable == .defer)
    }
    do throws(ConfigurationError) {
      let running = inForce.state.value.prepared.configuration
      let (prepared, changed) = try await prepare(for: hold)
      let rows = try openDoors(prepared.configuration)
      if let hold {
        do throws(ConfigurationError) {
          try StoreSwitch(ground: ground, running: running, hold: hold).perform(to: prepared.configuration)
        } catch {
          points.discard(rows)
          throw error
        }
        inForce.takeUp(ground.store)
        surroundings.health.forget(.store)
      }
      let generation = inForce.replace(with: prepared)
      await tell(prepared.settings, points.adopt(rows))
      Warnings.log(prepared.settings, ground.logger)
      points.warn(of: prepared.settings.doors, ground.logger)
      if prepared.upstream.network == nil { Warnings.logWaiting(inForce.waiting, ground.logger) }
      if prepared.mail.service == nil { Warnings.logMails(inForce.mailsWaiting, ground.logger) }
      report(generation, changed)
      return .done(generation: generation, changed: changed)
    } catch {
      // the configuration was not read to its end, so the reload is refused for now, and not because of a problem
      guard !Task.isCancelled else { return .stopping }
      ground.logger.write(
        .reloadRefused, "\(LogMessage.reloadRefused.text): \(error.problems.map(\.description).joined(separator: "; "))"
      )
      return .refused(error)
    }
  }

  /// - Parameter hold: The name of the hold (`daemon.holdStore`) during which the store may be replaced, or nil to keep
  ///   the store.
  /// - Returns: The configuration with its parts, and the keys that it changes.
  private func prepare(for hold: String? = nil) async throws(ConfigurationError) -> (
    PreparedConfiguration, changed: [String]
  ) {
    let running = inForce.state.value.prepared
    let next = try await thread.configuration(
      of: source.layers(after: running.configuration), after: running.configuration)
    let obstacles = running.configuration.obstacles(to: next).filter { hold == nil || !StoreSwitch.concerns($0.key) }
    guard obstacles.isEmpty else { throw ConfigurationError(problems: obstacles) }
    do throws(StartupFailure) {
      let prepared = try PreparedConfiguration(next, after: running, ground, surroundings, mailSurroundings)
      return (prepared, running.configuration.changes(in: next))
    } catch {
      throw refusal(of: next, error)
    }
  }

  private func openDoors(_ next: Configuration) throws(ConfigurationError) -> [PointTable.Row] {
    do throws(StartupFailure) { return try points.prepare(next.settings.doors) } catch {
      throw refusal(of: next, error)
    }
  }

  private func refusal(of next: Configuration, _ failure: StartupFailure) -> ConfigurationError {
    let place = next.file ?? "options and variables"
    return ConfigurationError(problems: [.init(place: place, key: nil, message: failure.description)])
  }

  private func report(_ generation: Int, _ changed: [String]) {
    let what = changed.isEmpty ? "nothing has changed" : "changed: \(changed.joined(separator: ", "))"
    ground.logger.write(.reloaded, "\(LogMessage.reloaded.text); \(what)", ["generation": "\(generation)"])
    ground.feed.publish(Event(.reloaded, at: ground.time.now(), message: what))
  }
}

extension ReloadOutcome {
  fileprivate static func refused(_ error: ConfigurationError) -> ReloadOutcome {
    .refused(error.problems.map { .init(place: $0.place, key: $0.key, message: $0.message) })
  }
}
