internal import AsyncPrimitives
internal import Logging
internal import Methods
internal import Registration
internal import Tracing
internal import UnixSocket
internal import WorkerThreads

/// Reads the configuration again on request, and puts it in force as a whole or not at all. Runs on a thread of its own,
/// because reading files and stopping networks may block.
actor Reloader {
  private let source: ConfigurationSource
  private let inForce: ConfigurationInForce
  private let requests: ReloadRequests
  private let networks: OpenNetworks
  private let resources: DaemonResources
  private let context: Upstream.Context
  private let mailContext: MailSystem.Context
  private let points: PointTable
  private let executor: ThreadExecutor
  private let thread: ReloadThread

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ source: ConfigurationSource, _ inForce: ConfigurationInForce, _ requests: ReloadRequests,
    _ resources: DaemonResources, _ context: Upstream.Context,
    _ mailContext: MailSystem.Context, _ points: PointTable
  ) throws(WorkerThreads.StartFailure) {
    self.source = source
    self.inForce = inForce
    self.requests = requests
    self.resources = resources
    self.context = context
    self.mailContext = mailContext
    self.points = points
    networks = context.networks
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
      if request.reply == nil, outcome == .stopping { resources.logger.write(.reloadTooLate) }
    }
    if requests.close() { resources.logger.write(.reloadTooLate) }
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
    resources.service.reloading()
    defer {
      let settings = inForce.settings
      resources.service.reloaded(status(settings), defers: settings.network.whenUnreachable == .defer)
    }
    do throws(ConfigurationError) {
      let running = inForce.state.value.prepared.configuration
      let (prepared, changed) = try await prepare(for: hold)
      let rows = try openDoors(prepared.configuration)
      if let hold {
        do throws(ConfigurationError) {
          try StoreSwitch(resources: resources, running: running, hold: hold).perform(to: prepared.configuration)
        } catch {
          points.discard(rows)
          throw error
        }
        inForce.takeUp(resources.store)
        context.health.forget(.store)
      }
      let generation = inForce.replace(with: prepared)
      await tell(prepared.settings, points.adopt(rows))
      Warnings.log(prepared.settings, resources.logger)
      points.warn(of: prepared.settings.doors, resources.logger)
      if prepared.upstream.network == nil { Warnings.logWaiting(inForce.waiting, resources.logger) }
      if prepared.mail.service == nil { Warnings.logMails(inForce.mailsWaiting, resources.logger) }
      report(generation, changed)
      return .done(generation: generation, changed: changed)
    } catch {
      // the configuration was not read to its end, so the reload is refused for now, and not because of a problem
      guard !Task.isCancelled else { return .stopping }
      resources.logger.write(
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
      let prepared = try PreparedConfiguration(next, after: running, resources, context, mailContext)
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
    resources.logger.write(.reloaded, "\(LogMessage.reloaded.text); \(what)", ["generation": "\(generation)"])
    resources.feed.publish(Event(.reloaded, at: resources.time.now(), message: what))
  }
}

extension ReloadOutcome {
  fileprivate static func refused(_ error: ConfigurationError) -> ReloadOutcome {
    .refused(error.problems.map { .init(place: $0.place, key: $0.key, message: $0.message) })
  }
}
