internal import Linux
internal import Logging
internal import ServiceLifecycle
internal import Systemd
internal import UnixSocket

/// The socket's life as a service: up, announced to the service manager, drained when asked to stop.
struct SocketService: Service {
  let server: Server
  /// How long requests in flight may take when it is asked to stop.
  let grace: @Sendable () -> Duration
  let readyStatus: String
  /// Called when the service manager knows that it is ready.
  let isReady: @Sendable () -> Void
  let log: DaemonLog
  /// What runs beside it, until regd is asked to stop.
  let meanwhile: @Sendable () async -> Void
  let manager = ServiceManager()

  func run() async throws {
    // the service group listens to signals before it runs its services
    EarlyStop.handOver()
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await server.run {
          log.logger.info("\(readyStatus)")
          // once the service manager knows that regd is ready, the log has what the start had to say
          log.flush()
          manager.ready(status: readyStatus)
          isReady()
          ThisProcess.forgetStartupPages()
        }
      }
      // ended at once, and waited for only when the socket is drained: it may wait for another program's lock
      group.addTask { await cancelWhenGracefulShutdown { await meanwhile() } }
      group.addTask {
        do { try await gracefulShutdown() } catch { return }
        let status = "Stopping: finishing what is in flight"
        log.logger.info("\(status)")
        manager.stopping(status: status)
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
