package import Registration

/// `store.backend: postgresql`: a database on a PostgreSQL server. Its keys are in `store.postgresql`.
package struct PostgreSQLBackend: StoreBackend {
  package static let name = "postgresql"
  package static let isDurable = true
  package static let serverKey: String? = "store.postgresql.url"

  let settings: PostgreSQLStore.Settings

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    let url = keys.secret("store.postgresql.url", default: "")
    var settings = PostgreSQLStore.Settings(url: url)
    if isChosen, url.isEmpty {
      keys.refuse(
        "store.postgresql.url", "must be the address of the database, such as postgresql://user@host/database")
    } else if !url.isEmpty, let failure = ServerAddress.libraryFailure {
      keys.refuse("store.postgresql.url", "cannot be read: \(failure)")
    } else if !url.isEmpty, ServerAddress(url) == nil {
      keys.refuse("store.postgresql.url", ServerAddress.unreadable)
    }
    let durability = keys.string("store.postgresql.durability", default: Durability.local.rawValue)
    if Durability(rawValue: durability) == nil {
      keys.refuse("store.postgresql.durability", "must be local or replicated, not \"\(durability)\"")
    }
    settings.isReplicated = durability == Durability.replicated.rawValue
    settings.connections = keys.integer("store.postgresql.connections", default: settings.connections, 4...1000)
    settings.connectLimit = keys.seconds(
      "store.postgresql.connectSeconds", default: settings.connectLimit, .milliseconds(10)...(.seconds(60)))
    settings.answerLimit = keys.seconds(
      "store.postgresql.answerSeconds", default: settings.answerLimit, .milliseconds(10)...(.seconds(3600)))
    self.settings = settings
  }

  package var path: String? { nil }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    // checks only a configured limit: an operator who only shortens `limits.requestSeconds` need not know the default
    let usual = PostgreSQLStore.Settings(url: "").answerLimit
    guard chosen == Self.name, settings.answerLimit != usual, settings.answerLimit >= .seconds(requestSeconds)
    else { return }
    keys.refuse("store.postgresql.answerSeconds", "must be less than limits.requestSeconds, which is \(requestSeconds)")
  }

  package func open(_ context: StoreContext) throws(StoreFailure) -> OpenStore {
    let store = try PostgreSQLStore(
      settings, claimant: context.claimant, damaged: context.damaged, observer: context.observer,
      doing: context.doing)
    return store.asOpen
  }

  package func attempt(_ context: StoreContext) throws(StoreFailure) -> StoreOpening {
    do throws(ServerFailure) {
      let store = try PostgreSQLStore(
        connecting: \.opening, settings, Schema(), context.claimant, damaged: context.damaged,
        observer: context.observer, doing: context.doing)
      return .open(store.asOpen)
    } catch {
      guard error.mayPass else { throw error.storeFailure }
      return .away(reason: error.detail)
    }
  }
}

extension PostgreSQLStore {
  fileprivate var asOpen: OpenStore {
    OpenStore(self, probes: probes, isNew: isNew, close: { await close() })
  }
}
