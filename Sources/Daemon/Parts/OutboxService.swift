internal import Registration
internal import ServiceLifecycle

/// The outbox's life as a service: it delivers until regd is asked to stop.
struct OutboxService: Service {
  let outbox: Outbox

  func run() async { await cancelWhenGracefulShutdown { await outbox.run() } }
}
