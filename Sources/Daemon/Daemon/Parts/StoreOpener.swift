internal import Logging
internal import Registration

/// Opens the store that the configuration chooses, at the start.
struct StoreOpener: Sendable {
  /// Why the store is not open yet, for callers' errors in the log and for `daemon.status`.
  let reason: Reloadable<String>
  private let configuration: Configuration
  private let service: ServiceStatus
  private let logger: Logger
  private let context: StoreContext

  init(
    _ configuration: Configuration, _ claimant: Claimant, damaged: @escaping DamageObserver,
    observer: @escaping AuditObserver, _ service: ServiceStatus, _ logger: Logger
  ) {
    let reason = Reloadable("it is not open yet")
    (self.reason, self.configuration, self.service, self.logger) = (reason, configuration, service, logger)
    context = StoreContext(
      claimant, damaged: damaged, observer: observer,
      doing: { what in
        reason.replace(what)
        service.goOn(what)
      })
  }

  private var store: any StoreBackend { configuration.settings.store.chosen }

  /// Announces the opening to the service manager.
  func begin() { service.begin("opening the store\(store.path.map { " \($0)" } ?? "")") }

  /// Tries to open the store.
  ///
  /// - Throws: `StartupFailure` if time alone does not cure the failure.
  func attempt() throws(StartupFailure) -> StoreOpening {
    do throws(StoreFailure) {
      let opening = try store.attempt(context)
      switch opening {
      case .open(let open):
        // no URL of a server, because it may contain a password
        if open.isNew {
          logger.write(.storeCreated, nil, store.path.map { ["path": $0] } ?? ["store": type(of: store).name])
        }
      case .away(let why):
        reason.replace(why)
        service.wait(why)
      }
      return opening
    } catch {
      throw StartupFailure(error, of: store) { configuration.keys[$0]?.place }
    }
  }
}
