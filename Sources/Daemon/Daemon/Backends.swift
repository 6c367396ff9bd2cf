internal import Doors
internal import HTTPNetwork
internal import LDAPDoor
internal import LocalMail
internal import PostgreSQLStore
internal import Registration
internal import RehearsedMails
internal import RehearsedNetworks
internal import SMTPMail
internal import SQLiteStore

/// The stores, networks, mail systems and doors that the configuration can choose, one line each. The folder of each
/// backend has its keys and the code that opens it.
package enum Backends {
  static let stores: [any StoreBackend.Type] = [
    MemoryBackend.self,
    SQLiteBackend.self,
    PostgreSQLBackend.self,
  ]

  static let defaultStore: any StoreBackend.Type = SQLiteBackend.self

  /// The networks (upstreams) that can be chosen, besides "none", with which regd has no upstream and is the authority
  /// itself.
  static let networks: [any NetworkBackend.Type] = [
    HTTPBackend.self,
    OfflineBackend.self,
    UnavailableBackend.self,
    ScriptedBackend.self,
  ]

  /// The mail systems in addition to "none", which sends no mail.
  static let mails: [any MailBackend.Type] = [
    SendmailBackend.self,
    SMTPBackend.self,
    FileMailBackend.self,
    EventMailBackend.self,
    OfflineMailBackend.self,
    UnavailableMailBackend.self,
    ScriptedMailBackend.self,
  ]

  /// The protocols of doors. A door is a listening point in addition to the JSON-RPC socket, which always exists.
  static let doors: [any Door.Type] = [
    SaslauthdDoor.self,
    DovecotDoor.self,
    JSONRPCDoor.self,
    HTTPDoor.self,
    SocketmapDoor.self,
    LDAPDoor.self,
  ]

  /// Lists the backends, for programs that start regd on each of its stores. Each line has a kind ("store", "network"
  /// or "mail") and a name.
  ///
  /// A store's line adds "durable" if accounts outlive the process, and for each file that the store writes the path's
  /// variable and default: `store sqlite durable REGD_STORE_SQLITE_PATH=/var/lib/regd/regd.db`. For a store on a
  /// server, it ends with the address's variable: `store postgresql durable server:REGD_STORE_POSTGRESQL_URL`.
  package static func list() async throws(ConfigurationError) -> String {
    let layers = try await ConfigurationLayers(file: nil, arguments: [], environment: [:])
    var reader = SettingsReader(layers)
    var lines: [[String]] = []
    for store in StoreSettings(&reader).backends {
      let files = store.files.filter(\.isWritten).map { "\(layers.variable($0.key))=\($0.path)" }
      let server = type(of: store).serverKey.map { ["server:\(layers.variable($0))"] } ?? []
      lines.append(["store", type(of: store).name] + (type(of: store).isDurable ? ["durable"] : []) + files + server)
    }
    lines += networks.map { ["network", $0.name] } + mails.map { ["mail", $0.name] }
    return lines.map { $0.joined(separator: " ") }.joined(separator: "\n")
  }
}

/// The backends and doors that a configuration may choose.
struct BackendTable: Sendable {
  var doors = Backends.doors
  var networks = Backends.networks
  var mails = Backends.mails
}
