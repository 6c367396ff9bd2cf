internal import HTTPNetwork
internal import LocalMail
internal import PostgreSQLStore
internal import Registration
internal import RehearsedMails
internal import RehearsedNetworks
internal import SMTPMail
internal import SQLiteStore

/// The stores, networks and mail systems that the configuration can choose, a line each. The row itself, with its keys and its opening,
/// is in the backend's own folder.
package enum Backends {
  static let stores: [any StoreBackend.Type] = [
    MemoryBackend.self,
    SQLiteBackend.self,
    PostgreSQLBackend.self,
  ]

  static let defaultStore: any StoreBackend.Type = SQLiteBackend.self

  /// Besides "none", by which this daemon is the authority.
  static let networks: [any NetworkBackend.Type] = [
    HTTPBackend.self,
    OfflineBackend.self,
    UnavailableBackend.self,
    ScriptedBackend.self,
  ]

  /// Besides "none", by which no mail is sent.
  static let mails: [any MailBackend.Type] = [
    SendmailBackend.self,
    SMTPBackend.self,
    FileMailBackend.self,
    EventMailBackend.self,
    OfflineMailBackend.self,
    UnavailableMailBackend.self,
    ScriptedMailBackend.self,
  ]

  /// For programs that start regd on each of its stores: a line each, "store", "network" or "mail" and the name. Behind a store's
  /// name stand "durable" if accounts outlive the process, and for each file that it writes the variable that says where
  /// the file is, with the default: `store sqlite durable REGD_STORE_SQLITE_PATH=/var/lib/regd/regd.db`. A store that has a
  /// server has the variable that says where: `store postgresql durable server:REGD_STORE_POSTGRESQL_URL`.
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
