package import Liveness

/// An implementation of a port (a store, network or mail service) that the configuration can choose. A conforming type
/// defines the whole backend: its name, its keys with their types and defaults, which values contradict each other, and
/// how it opens. The daemon's `Backends` lists each type in one line.
///
/// A value of the type holds the backend's configuration. regd reads it even if another backend is chosen, so that it
/// knows all keys and finds a wrong value before the backend is needed.
package protocol Backend: Equatable, Sendable {
  /// The value of the key (`store.backend`, `network.backend`) that chooses this backend.
  static var name: String { get }

  /// Reads the backend's keys, and refuses impossible values.
  ///
  /// - Parameter isChosen: Whether the configuration chooses this backend, so that its required keys must be set.
  init(_ keys: inout some ConfigurationKeys, isChosen: Bool)

  /// The files that the backend's keys name. Keys that name no file are left out.
  var files: [ConfiguredFile] { get }

  /// Things that the backend's keys name, but that do not exist on this machine now. regd only warns of them when it
  /// starts, because they may appear later.
  var absences: [(key: String, message: String)] { get }

  /// Refuses values that contradict the rest of the configuration. Called once, when all keys have been read.
  ///
  /// - Parameters:
  ///   - chosen: The name of the backend that is chosen for the port, or nil for none.
  ///   - requestSeconds: `limits.requestSeconds`. Everything that a request waits for must end sooner.
  func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int)
}

extension Backend {
  package var files: [ConfiguredFile] { [] }

  package var absences: [(key: String, message: String)] { [] }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {}
}

/// A file that a key of the configuration names.
package struct ConfiguredFile: Sendable {
  package let key: String
  package let path: String
  package let isWritten: Bool
  /// Files that accompany this one. For each: the suffix to append to `path`, and a name for operators.
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

/// Reads the layers of the configuration key by key. Reports a wrong value with its position and returns the default
/// instead, so that reading continues and the operator learns of all mistakes at once.
package protocol ConfigurationKeys {
  /// A one-line string without control characters.
  mutating func string(_ key: String, default value: String) -> String

  /// A one-line string that regd shows to no caller, not even to administrators.
  mutating func secret(_ key: String, default value: String) -> String

  /// A one-line string for a path: a leading `~/` means the home directory of the user who runs regd.
  mutating func pathText(_ key: String, default value: String) -> String

  /// The absolute path of a file.
  mutating func path(_ key: String, default value: String) -> String

  /// The absolute path of a file, or "" for none, which is the default.
  mutating func optionalPath(_ key: String) -> String

  mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int

  /// A number of seconds, which may have a fraction.
  mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration

  mutating func flag(_ key: String, default value: Bool) -> Bool

  /// A list of strings, or one string in which commas separate them.
  mutating func list(_ key: String, default value: [String]) -> [String]

  /// Refuses a value that has the right type but is impossible.
  ///
  /// - Parameter message: Which values would be right. The report puts this text after the key's name.
  mutating func refuse(_ key: String, _ message: String)

  /// Whether a layer that overrides the configuration file sets the key, for example a command-line argument.
  func isOverridden(_ key: String) -> Bool
}

// MARK: - Stores

/// A backend of `StoreEngine`.
package protocol StoreBackend: Backend {
  /// Whether accounts outlive the process.
  static var isDurable: Bool { get }

  /// The path of the file that contains the accounts, or nil if no file does.
  var path: String? { get }

  /// The configuration key whose value names the server with the accounts, or nil if no server has them.
  static var serverKey: String? { get }

  /// Opens the store, and creates it if it does not exist yet.
  func open(_ context: StoreContext) throws(StoreFailure) -> OpenStore

  /// Opens the store as `open` does, for a caller that repeats the attempt. It therefore waits for the store's server only
  /// as long as an operation of an open store does, but for a migration as long as the migration takes.
  ///
  /// - Throws: A failure that time alone does not cure.
  func attempt(_ context: StoreContext) throws(StoreFailure) -> StoreOpening
}

extension StoreBackend {
  package static var serverKey: String? { nil }

  package func attempt(_ context: StoreContext) throws(StoreFailure) -> StoreOpening {
    .open(try open(context))
  }
}

/// The outcome of an attempt to open a store.
package enum StoreOpening: Sendable {
  case open(OpenStore)
  /// The store's server cannot be used now, for a reason that may pass, such as DNS that does not answer. The reason is
  /// for the log and `daemon.status`.
  case away(reason: String)
}

/// A store that is open, and the closure that closes it.
package struct OpenStore: Sendable {
  package let engine: any StoreEngine
  /// Called once, when nothing is in flight any more. Afterwards every operation fails.
  package let close: @Sendable () async -> Void
  /// The probes of the store's threads. A thread that meets failures or waits for another program's lock still answers
  /// its probe. Only a stuck thread does not.
  package let probes: [Probe]
  /// Whether the opening has created the database. An operator must know, because at a wrong address regd would otherwise
  /// seem to have lost all accounts.
  package let isNew: Bool

  package init(
    _ engine: any StoreEngine, probes: [Probe] = [], isNew: Bool = false,
    close: @escaping @Sendable () async -> Void = {}
  ) {
    self.engine = engine
    self.probes = probes
    self.isNew = isNew
    self.close = close
  }
}

// MARK: - Networks

/// A backend of `NetworkService`.
package protocol NetworkBackend: Backend {
  /// Whether the backend simulates an upstream instead of connecting to one.
  static var isRehearsed: Bool { get }

  /// Opens the network without sending anything to the upstream.
  func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork
}

/// The services and settings that a network gets in addition to its configuration.
package struct NetworkContext: Sendable {
  package let time: any TimeSource
  /// The name by which regd introduces itself to an upstream (User-Agent).
  package let userAgent: String
  /// Logs a line that an operator must see. Does not block. The line contains no secret and no person's address.
  package let warn: @Sendable (_ message: String) -> Void
  /// Receives details of a failed call that are not in its `NetworkFailure`. Does not block. The network calls this on
  /// the call's own task, before the call throws. The details contain no secret and no person's address.
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

/// A network or a mail service, and the closure that stops it.
package struct OpenPort<Port: Sendable>: Sendable {
  package let port: Port
  /// Makes everything in flight fail, and returns when nothing runs any more.
  package let stop: @Sendable () -> Void

  package init(_ port: Port, stop: @escaping @Sendable () -> Void = {}) {
    self.port = port
    self.stop = stop
  }
}

package typealias OpenNetwork = OpenPort<any NetworkService>
package typealias OpenMail = OpenPort<any MailService>

/// Why a network or mail service could not be opened, in words for operators.
package enum NetworkOpeningFailure: Error, Equatable, Sendable {
  /// A configured value turned out to be wrong on opening (EX_CONFIG).
  case configuration(String)
  /// The operating system or a library refused something (EX_OSERR).
  case operatingSystem(String)
}
