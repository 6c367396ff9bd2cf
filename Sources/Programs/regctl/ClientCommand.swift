internal import AddressNormalization
internal import ArgumentParser
internal import CVersion
internal import ClientGenerator
internal import JSONRPC
internal import Localization
internal import Methods
internal import PasswordHashing
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import UserMessages
internal import WireProtocols

/// `regctl client`: prints a client in another language, from the table of methods linked into this program. Asks no regd.
struct ClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: .said(ClientHelp.abstract), discussion: .said(ClientHelp.discussion))

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case python, typescript, go, php, openrpc
  }

  @Argument(help: .said(ClientHelp.language)) var language: Kind

  @Flag(help: .said(CommonHelp.jsonResult)) var json = false

  func run() {
    let text = language.text(of: DescribedMethods.table, version: String(cString: regd_version()))
    // Not regctl's own `print`, which would escape the tabs. The text contains no foreign text that could harm a
    // terminal.
    Terminal.print(document: json ? JSONValue.object([.init("text", .string(text))]).text + "\n" : text)
  }
}

extension ClientCommand.Kind {
  fileprivate func text(of table: MethodTable, version: String) -> String {
    let model = ClientModel(of: table, version: version)
    return switch self {
    case .python: PythonWriter.text(of: model)
    case .typescript: TypeScriptWriter.text(of: model)
    case .go: GoWriter.text(of: model)
    case .php: PHPWriter.text(of: model)
    case .openrpc: String(decoding: OpenRPCDocument.text(of: table, version: version), as: UTF8.self) + "\n"
    }
  }
}

/// The table of methods of this version's regd, made of stubs, because only its descriptions are read and no method is
/// called.
enum DescribedMethods {
  static var table: MethodTable {
    let (normalizer, feed) = (UnicodeNormalizer(), EventFeed())
    let engine = MemoryStore(cryptography: SodiumAuditCryptography())
    let store = Accounts(engine)
    let (key, stampKey) = (store.codeKey, store.stampKey)
    let codes = ClaimCodes(SodiumCodeHashing()) { key }
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy([], normalizer: normalizer)),
      store: store, hasher: NoHasher(), network: nil, time: NoTime(), codes: codes,
      stamps: SessionStamps(SodiumCodeHashing()) { stampKey })
    let live = Reloadable(registrar)
    let info = ServerInfo(
      version: "", limits: Limits(), network: "", store: "", environment: nil, uptimeSeconds: { 0 })
    let administrator = Administrator(
      store: store, hasher: NoHasher(), hashes: PasswordHashFormat(), time: NoTime(), forgive: { _ in },
      registrar: live)
    return RegdMethods.table(
      MethodParts(
        registrar: live, administrator: administrator, auditor: administrator.auditor(),
        outbox: Outbox(registrar, breaker: nil, pendings: OutboxInbox()),
        mails: MailQueue(
          store, codes, time: NoTime(), .init(service: nil, from: ""), languages: ReloadableLanguages(.english),
          lines: UnicodeLineBreaker()),
        asks: MailAsks { _ in 0 }, normalizer: normalizer, info: Reloadable(info), quotas: PeerQuotas(Limits()),
        feed: feed,
        status: status(feed), metrics: { "" }, reload: { _, _ in .stopping },
        holds: StoreHolds(SwitchableEngine(OpenStore(engine)))))
  }

  private static func status(_ feed: EventFeed) -> StatusSources {
    StatusSources(
      health: Health(feed: feed, time: NoTime()), delivery: { .init(breaker: nil, waiting: 0) },
      mails: { .init(backend: "", waiting: 0, counts: .init()) },
      hashing: { .init(pending: 0, workers: 0, queue: 0) }, breachedList: { nil }, storePath: { nil },
      configuration: { .init(generation: 0, file: nil, loadedAt: NoTime().now(), keys: []) })
  }

  private struct NoTime: TimeSource {
    func now() -> Timestamp { Timestamp(microseconds: 0) }
  }

  private struct NoHasher: PasswordHasher {
    func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
      throw .unavailable
    }

    func verify(
      _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
    ) async throws(HashingFailure) -> PasswordVerdict { throw .unavailable }
  }
}
