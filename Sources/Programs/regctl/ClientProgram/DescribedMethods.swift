internal import AddressNormalization
internal import JSONRPC
internal import Localization
internal import Methods
internal import PasswordHashing
internal import Registration
internal import WireProtocols

/// The table of methods of this version's regd, made of stubs, because only its descriptions are read and no method is
/// called.
enum DescribedMethods {
  static var table: MethodTable {
    let (normalizer, feed, engine) = (UnicodeNormalizer(), EventFeed(), MemoryStore())
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
    return RegdMethods.table(
      MethodParts(
        registrar: live,
        administrator: Administrator(
          store: store, hasher: NoHasher(), hashes: PasswordHashFormat(), time: NoTime(), forgive: { _ in },
          registrar: live),
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
