internal import AsyncPrimitives
internal import Liveness
internal import Logging
internal import ServiceLifecycle
internal import Systemd
internal import UnixSocket

/// The server as a service of the service group: runs it, notifies the service manager that regd is ready, and drains it
/// when regd is asked to stop.
package struct SocketService: Service, CustomStringConvertible {
  let server: Server
  /// How long requests in flight may take after the request to stop.
  let grace: @Sendable () -> Duration
  /// Returns the status line when all is well.
  let status: @Sendable () -> String
  /// Whether registrations are accepted while the upstream is unreachable.
  let defers: @Sendable () -> Bool
  /// Opens the store, if its server could not be used at the start. regd serves meanwhile, and is ready afterwards. Returns
  /// whether the store is open, which it is not if the task was cancelled before. Throws if the store cannot be used. Nil
  /// if the store is open already.
  let opensStore: (@Sendable () async throws -> Bool)?
  /// Called once callers are served, and if regd is ready then, once the service manager has been notified.
  let serves: @Sendable () -> Void
  let log: any RunningLog
  let service: ServiceStatus
  /// The daemon's parts that the watchdog checks, in addition to the server's.
  let probes: @Sendable () -> [Probe]
  /// Called when the service begins.
  let begins: @Sendable () -> Void
  /// Called a second after the service began, unless regd stops before.
  let hasSettled: @Sendable () -> Void
  /// Runs concurrently with the server. Cancelled when regd is asked to stop.
  let meanwhile: @Sendable () async -> Void
  /// Returns when subscribers have the events that happened so far. Called when regd is asked to stop, while all
  /// connections are still open.
  let flushEvents: @Sendable () async -> Void

  /// The service's name. Without it, the service group would print the whole service by reflection. That takes more
  /// than half of the start, and copies settings into a text that is never wiped.
  package var description: String { "socket" }

  package func run() async throws {
    begins()
    let (questions, pool) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    let watch = Watch(
      interval: ServiceManager().watchdogInterval, logger: log.logger,
      probes: { [probes] in probes() + [Probe("the pool of tasks") { pool.yield($0) }] })
    defer { watch.stop() }
    // whether callers are served, which is false if the server fails before
    let started = Promise<Bool>()
    try await withThrowingTaskGroup { group in
      group.addTask {
        defer { pool.finish() }
        try await serve(watch, started)
      }
      group.addTask {
        await cancelWhenGracefulShutdown {
          guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
          hasSettled()
        }
      }
      group.addTask { for await answer in questions { answer() } }
      // cancelled when regd is asked to stop, but awaited only after the drain, because it may be waiting for another
      // program's lock
      group.addTask { await cancelWhenGracefulShutdown { await meanwhile() } }
      group.addTask {
        let failure = await openStore(started)
        if failure == nil { do { try await gracefulShutdown() } catch { return } }
        // waits for the start to finish, because a starting server may already have callers to answer
        _ = await started.value()
        await stop(watch)
        if let failure { throw failure }
      }
      // A server that throws cancels the other tasks, such as the wait for the shutdown. A drained server returns, and
      // all tasks end.
      do {
        while try await group.next() != nil {}
      } catch {
        group.cancelAll()
        throw error
      }
    }
  }

  /// Serves callers until the server is drained.
  ///
  /// - Parameter started: Gets whether callers are served.
  private func serve(_ watch: Watch, _ started: Promise<Bool>) async throws {
    defer { started.fulfill(false) }
    try await server.run { loops in
      if opensStore == nil {
        announce { watch.begin(with: loops) }
      } else {
        service.serve(status(), defers: defers())
        watch.begin(with: loops)
      }
      serves()
      started.fulfill(true)
    }
  }

  /// Announces that regd is ready.
  private func announce(told: @escaping @Sendable () -> Void = {}) {
    let status = status()
    log.logger.write(.ready, status)
    // flushed first, so that the log is complete up to here when the service manager learns that regd is ready
    log.flush()
    service.ready(status, defers: defers(), told: told)
  }

  /// Opens the store if it is not open, and then announces that regd is ready.
  ///
  /// - Parameter started: Whether callers are served.
  /// - Returns: Why the store cannot be used, or nil if it is open, or regd is asked to stop.
  private func openStore(_ started: Promise<Bool>) async -> (any Error)? {
    guard let opensStore else { return nil }
    do {
      let isOpen = try await cancelWhenGracefulShutdown { try await opensStore() }
      if isOpen, await started.value() { announce() }
      return nil
    } catch {
      return error
    }
  }

  /// Answers the requests in flight and closes all connections, for which the service manager allows TimeoutStopSec=
  /// (systemd.service(5)).
  private func stop(_ watch: Watch) async {
    watch.stop()
    log.logger.write(.stopping)
    await flushEvents()
    // the service manager, and every program that waits for it, is notified of the stop only when no client can connect
    // any more
    await server.drain(within: grace()) { service.stopping(LogMessage.stopping.text) }
  }
}
