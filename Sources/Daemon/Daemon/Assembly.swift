internal import Doors
internal import JSONRPC
internal import Linux
internal import Liveness
internal import Logging
internal import Methods
internal import Registration
package import Systemd
package import UnixSocket
internal import WireProtocols
internal import WorkerThreads

/// All of regd except its process: the parts that answer requests, and the server of the sockets. Handles no signal and
/// sets no exit status.
package struct Assembly: Sendable {
  let components: DaemonComponents
  let server: Server
  private let points: PointTable
  private let reloader: Reloader
  private let resources: DaemonResources
  private var settings: Settings { components.inForce.settings }

  /// - Parameters:
  ///   - source: Reads the configuration again for each reload.
  ///   - socket: regd's own socket, which uses JSON-RPC. The server takes it over.
  ///   - passed: The sockets that the service manager passed in for doors.
  /// - Throws: `StartupFailure`. Then the caller still owns the socket and the resources.
  package init(
    _ configuration: Configuration, from source: ConfigurationSource, _ resources: DaemonResources,
    at socket: ListeningSocket, passed: [PassedSocket] = []
  ) throws(StartupFailure) {
    self.resources = resources
    let settings = configuration.settings
    let held = HeldSockets(passed: passed)
    components = try DaemonComponents(configuration, resources, held)
    points = PointTable(
      ListeningPoint("regd", socket, JSONRPCProtocol(components.dispatcher), peer: resources.peer), held,
      components.context(of:))
    do {
      reloader = try Reloader(
        source, components.inForce, components.reloads, resources, components.context, components.mailContext, points)
    } catch {
      throw StartupFailure(.operatingSystem, "the thread for reloads: \(SystemError.text(error.errorNumber))")
    }
    server = Server(
      points.adopt(try points.prepare(settings.doors)), in: resources.listeners, loops: settings.socket.loopCount,
      limits: settings.limits.limits, access: settings.access.rules, quotas: resources.quotas,
      report: ServerEventLog(resources.logger).note)
    // before regd serves, so that no status omits it
    if let awaited = resources.awaited { components.watch.note(.unavailable(detail: awaited.reason.value)) }
  }

  /// Returns the assembly as a service, which runs until its graceful shutdown.
  ///
  /// - Parameters:
  ///   - begins: Called when the service starts, before anything else.
  ///   - hasSettled: Called a second after `begins`, unless regd stops before.
  package func service(
    begins: @escaping @Sendable () -> Void = {}, hasSettled: @escaping @Sendable () -> Void = {}
  ) -> SocketService {
    let status: @Sendable (Settings) -> String = { [resources] in
      let places = resources.listeners.points.map(\.address).joined(separator: ", ")
      return "Serving \(places); store \($0.store.backend), network \($0.network.backend)"
    }
    var opensStore: (@Sendable () async throws -> Bool)?
    if let awaited = resources.awaited { opensStore = { try await openAwaited(awaited) } }
    return SocketService(
      server: server, grace: { [inForce = components.inForce] in .seconds(inForce.settings.shutdown.graceSeconds) },
      status: { [inForce = components.inForce] in status(inForce.settings) },
      defers: { [inForce = components.inForce] in inForce.settings.network.whenUnreachable == .defer },
      opensStore: opensStore,
      serves: components.reloads.open, log: resources.log, service: resources.service,
      probes: { [resources] in resources.store.probes + [resources.hasher.probe] }, begins: begins,
      hasSettled: hasSettled,
      meanwhile: { await work(status) }, flushEvents: { [resources] in await resources.feed.flush(within: .seconds(1)) }
    )
  }

  /// Waits until the store is open that could not be opened at the start, and lets the work begin that needs it.
  ///
  /// - Returns: Whether the store is open. False if the task was cancelled before.
  private func openAwaited(_ awaited: AwaitedStore) async throws(StartupFailure) -> Bool {
    guard let store = try await storeOfServer(awaited) else { return false }
    resources.store.replaceUnopened(by: store)
    components.inForce.takeUp(resources.store)
    components.watch.noteOpened()
    awaited.begin()
    return true
  }

  private func storeOfServer(_ awaited: AwaitedStore) async throws(StartupFailure) -> OpenStore? {
    // keeps the reason in `daemon.status` up to date, and ends with this function, before the store is open
    async let _ = components.watch.run()
    return try await awaited.open()
  }

  /// Runs all background work: deliveries, mails, counts, checks of the store, and reloads.
  private func work(_ status: @escaping @Sendable (Settings) -> String) async {
    await withTaskGroup { group in
      group.addTask { await workOnStore() }
      group.addTask { await components.keepClients() }
      group.addTask { await resources.store.run() }
      group.addTask {
        await reloader.run(status: status) { settings, points in
          // leases before limits, so that no request may take longer than its claim on an account lasts
          resources.leases.replace(settings.limits.lease)
          await server.adopt(settings.limits.limits, settings.access.rules)
          await server.listen(at: points)
          // a move of the store has moved the file
          await components.writeClients()
        }
      }
    }
  }

  /// Runs the background work that checks, reads and changes the store. Begins once the store is open.
  private func workOnStore() async {
    if let awaited = resources.awaited, await !awaited.hasBegun() { return }
    await withTaskGroup { group in
      group.addTask { await deliver() }
      group.addTask { await sendMails() }
      group.addTask { await components.watch.run() }
      group.addTask { await components.sweep.run() }
      group.addTask { await components.counts.run(Accounts(resources.store), resources.time) }
    }
  }

  /// Delivers registrations that wait for the upstream. Without an upstream, first logs a warning if any wait.
  private func deliver() async {
    if settings.network.chosen == nil {
      do throws(StoreFailure) { try await components.outbox.look() } catch {}
      Warnings.logWaiting(components.outbox.waiting, resources.logger)
    }
    await components.outbox.run()
  }

  /// Sends waiting mails. Without a mail system, first logs a warning if any wait.
  private func sendMails() async {
    if settings.mail.chosen == nil {
      do throws(StoreFailure) { try await components.mails.look() } catch {}
      Warnings.logMails(components.mails.waiting, resources.logger)
    }
    await components.mails.run()
  }
}
