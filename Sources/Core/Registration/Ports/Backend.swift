package import Heartbeat

/// What the configuration can choose behind a port. A conforming type is the backend's whole row: its name, its keys with
/// their types and defaults, what contradicts them, how it opens. The daemon's `Backends` lists them, a line each.
///
/// A value is what the configuration says to the backend. It is read whichever backend is chosen: all keys are known, and
/// a wrong value is found before the backend is needed.
package protocol Backend: Equatable, Sendable {
  /// The value of the key (`store.backend`, `network.backend`) that chooses it.
  static var name: String { get }

  /// Reads its keys, and refuses values that cannot be.
  ///
  /// - Parameter isChosen: Whether a key that the backend cannot do without must be there.
  init(_ keys: inout some ConfigurationKeys, isChosen: Bool)

  /// The files that its keys name; keys that name none are left out.
  var files: [ConfiguredFile] { get }

  /// Things that its keys name and this machine does not have now, as the start warns of them: they may come later.
  var absences: [(key: String, message: String)] { get }

  /// Refuses values that contradict the rest of the configuration. Called once, when all keys are read.
  ///
  /// - Parameters:
  ///   - chosen: The name of the port's backend that is chosen; nil for none.
  ///   - requestSeconds: `limits.requestSeconds`, before which whatever a request waits for must end.
  func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int)
}

extension Backend {
  package var files: [ConfiguredFile] { [] }

  package var absences: [(key: String, message: String)] { [] }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {}
}

/// A file that a key names.
package struct ConfiguredFile: Sendable {
  package let key: String
  package let path: String
  package let isWritten: Bool
  /// Files that come and go with it: what is appended to its path, and what they are.
  package let companions: [(suffix: String, name: String)]

  package init(
    _ key: String, _ path: String, isWritten: Bool = false, companions: [(suffix: String, name: String)] = []
  ) {
    self.key = key
    self.path = path
    self.isWritten = isWritten
    self.companions = companions
  }
}

/// The layers of the configuration, read key by key. What is wrong is noted with its place, and the default is given
/// instead: reading goes on, so that the operator is told of all mistakes at once.
package protocol ConfigurationKeys {
  /// A text of one line, without control characters.
  mutating func string(_ key: String, default value: String) -> String

  /// A text of one line that is told to no caller, administrators included.
  mutating func secret(_ key: String, default value: String) -> String

  /// A text of one line that is to be a path: at its beginning `~/` stands for the home directory of who runs regd.
  mutating func pathText(_ key: String, default value: String) -> String

  /// The absolute path of a file.
  mutating func path(_ key: String, default value: String) -> String

  /// The absolute path of a file; "" for none, which is the default.
  mutating func optionalPath(_ key: String) -> String

  mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int

  /// A number of seconds, with a fraction where it has one.
  mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration

  mutating func flag(_ key: String, default value: Bool) -> Bool

  /// Texts; where they stand in one, commas separate them.
  mutating func list(_ key: String, default value: [String]) -> [String]

  /// Notes that a value of the right type cannot be.
  ///
  /// - Parameter message: What would be right, behind the key's name.
  mutating func refuse(_ key: String, _ message: String)

  /// Whether a stronger layer than the file has the key: an operator's choice for this once.
  func isOverridden(_ key: String) -> Bool
}

// MARK: - Stores

/// A backend of `AccountStore`.
package protocol StoreBackend: Backend {
  /// Whether accounts outlive the process.
  static var isDurable: Bool { get }

  /// The file that has the accounts; nil if no file has them.
  var path: String? { get }

  /// The key that says where the server is that has the accounts; nil if no server has them.
  static var serverKey: String? { get }

  /// Opens the store, and makes it if there is none yet.
  func open(_ surroundings: StoreSurroundings) throws(StoreFailure) -> OpenStore
}

extension StoreBackend {
  package static var serverKey: String? { nil }
}

/// A store, and how it is closed.
package struct OpenStore: Sendable {
  package let store: any AccountStore
  /// Called once, when nothing is under way any more; afterwards every operation fails.
  package let close: @Sendable () async -> Void
  /// Its threads. Each goes round also while the store fails, or waits for another program's lock.
  package let pulses: [Pulse]

  package init(
    _ store: any AccountStore, pulses: [Pulse] = [], close: @escaping @Sendable () async -> Void = {}
  ) {
    self.store = store
    self.pulses = pulses
    self.close = close
  }
}

// MARK: - Networks

/// A backend of `NetworkService`.
package protocol NetworkBackend: Backend {
  /// Whether it plays an upstream, and asks none.
  static var isRehearsed: Bool { get }

  /// Opens the network. It asks nothing of the upstream yet.
  func open(_ surroundings: NetworkSurroundings) throws(NetworkOpeningFailure) -> OpenNetwork
}

/// What a network is given besides its keys.
package struct NetworkSurroundings: Sendable {
  package let time: any TimeSource
  /// How regd names itself to an upstream (User-Agent).
  package let userAgent: String
  /// Writes a line of the log that an operator must see; does not block. It has no secret and no person's address.
  package let warn: @Sendable (_ message: String) -> Void
  /// Takes what is known of a call that fails, beside its failure; does not block. Called on the call's own task, before
  /// the call throws. No secret, and no person's address.
  package let failed: @Sendable (_ details: [String: String]) -> Void

  package init(
    time: any TimeSource, userAgent: String, warn: @escaping @Sendable (String) -> Void,
    failed: @escaping @Sendable ([String: String]) -> Void
  ) {
    self.time = time
    self.userAgent = userAgent
    self.warn = warn
    self.failed = failed
  }
}

/// A network, and how it is stopped.
package struct OpenNetwork: Sendable {
  package let network: any NetworkService
  /// Ends what is under way with a failure, and returns when nothing runs any more.
  package let stop: @Sendable () -> Void

  package init(
    _ network: any NetworkService, stop: @escaping @Sendable () -> Void = {}
  ) {
    self.network = network
    self.stop = stop
  }
}

/// Why a network was not opened, in words for operators.
package enum NetworkOpeningFailure: Error, Equatable, Sendable {
  /// A value of the configuration that only opening finds wrong (EX_CONFIG).
  case configuration(String)
  /// The operating system or a library refused something (EX_OSERR).
  case operatingSystem(String)
}
