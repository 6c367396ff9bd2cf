internal import Logging
internal import ServiceLifecycle
internal import Systemd
internal import UnixSocket

/// The socket's life as a service: up, told to the service manager, drained when asked to stop.
struct SocketService: Service {
  let server: Server
  let grace: Duration
  let readyStatus: String
  let logger: Logger
  let manager = ServiceManager()

  func run() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await server.run {
          logger.info("\(readyStatus)")
          manager.ready(status: readyStatus)
        }
      }
      group.addTask {
        do { try await gracefulShutdown() } catch { return }
        let status = "Stopping: finishing what is in flight"
        logger.info("\(status)")
        manager.stopping(status: status)
        await server.drain(within: grace)
      }
      // the first to end without the other is the server that failed, or the drain that is followed by the server's end
      do { try await group.waitForAll() } catch {
        group.cancelAll()
        throw error
      }
    }
  }
}
