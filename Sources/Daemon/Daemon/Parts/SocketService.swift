internal import Heartbeat
internal import Linux
internal import Logging
internal import ServiceLifecycle
internal import Systemd
internal import UnixSocket
internal import Waiting

/// The socket's life as a service: up, announced to the service manager, drained when asked to stop.
struct SocketService: Service, CustomStringConvertible {
  let server: Server
  /// How long requests in flight may take when it is asked to stop.
  let grace: @Sendable () -> Duration
  let readyStatus: String
  /// Whether registrations are accepted while the upstream is away.
  let defers: Bool
  /// Called when the service manager knows that it is ready.
  let isReady: @Sendable () -> Void
  let log: DaemonLog
  let service: ServiceStatus
  /// Parts of the daemon that must go round, besides the server's.
  let pulses: @Sendable () -> [Pulse]
  /// What runs beside it, until regd is asked to stop.
  let meanwhile: @Sendable () async -> Void

  /// What the service group calls it. Without one, the group would write out all that the service holds, by reflection: that takes
  /// more than half of the start, and writes settings into a text that nothing wipes.
  var description: String { "socket" }

  func run() async throws {
    // the service group listens to signals before it runs its services
    EarlyStop.handOver()
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
          // once the service manager knows that regd is ready, the log has what the start had to say
          log.flush()
          service.ready(readyStatus, defers: defers) { watch.begin(with: loops) }
          isReady()
          started.fulfill(())
        }
      }
      group.addTask {
        await cancelWhenGracefulShutdown {
          // what runs beside the socket has begun by then, and what its beginning needed goes too
          guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
          ThisProcess.forgetStartupPages()
        }
      }
      group.addTask { for await answer in questions { answer() } }
      // ended at once, and waited for only when the socket is drained: it may wait for another program's lock
      group.addTask { await cancelWhenGracefulShutdown { await meanwhile() } }
      group.addTask {
        do { try await gracefulShutdown() } catch { return }
        // a server that is still starting has callers that are to be answered, too
        await started.value()
        // from here on the service manager's patience is TimeoutStopSec=
        watch.stop()
        log.logger.write(.stopping)
        service.stopping(LogMessage.stopping.text)
        await server.drain(within: grace())
      }
      // a server that fails ends the wait for a shutdown; one that was drained ends after it
      do {
        while try await group.next() != nil {}
      } catch {
        group.cancelAll()
        throw error
      }
    }
  }
}
