internal import Heartbeat
internal import Logging
internal import ServiceLifecycle
internal import Systemd
internal import UnixSocket
internal import Waiting

/// The server as a service of the service group: runs it, notifies the service manager that it is ready, and drains it
/// when regd is asked to stop.
package struct SocketService: Service, CustomStringConvertible {
  let server: Server
  /// How long requests in flight may take after the request to stop.
  let grace: @Sendable () -> Duration
  let readyStatus: String
  /// Whether registrations are accepted while the upstream is unreachable.
  let defers: Bool
  /// Called once the service manager knows that regd is ready.
  let isReady: @Sendable () -> Void
  let log: any RunningLog
  let service: ServiceStatus
  /// The daemon's parts that the watchdog checks, in addition to the server's.
  let pulses: @Sendable () -> [Pulse]
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
      pulses: { [pulses] in pulses() + [Pulse("the pool of tasks") { pool.yield($0) }] })
    defer { watch.stop() }
    let started = Promise<Void>()
    try await withThrowingTaskGroup { group in
      group.addTask {
        defer {
          started.fulfill(())
          pool.finish()
        }
        try await server.run { loops in
          log.logger.write(.ready, readyStatus)
          // flushed first, so that the log is complete up to here when the service manager learns that regd is ready
          log.flush()
          service.ready(readyStatus, defers: defers) { watch.begin(with: loops) }
          isReady()
          started.fulfill(())
        }
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
        do { try await gracefulShutdown() } catch { return }
        // waits for the start to finish, because a starting server may already have callers to answer
        await started.value()
        await stop(watch)
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
