import AddressNormalization
import JSONRPC
import Localization
import Methods
import PasswordHashing
import Reasons
import RegdClient
import Registration
import Synchronization
import TestDoubles
import Testing
import WireProtocols

/// All methods over a memory store, without any socket.
struct Subject {
  let table: MethodTable
  let dispatcher: Dispatcher
  let store: MemoryStore
  /// The store that the methods use: `store`, with injected faults.
  let faulty: FaultyStore
  let administrator: Administrator
  let feed: EventFeed
  let quotas = PeerQuotas(Limits())
  let health: Health
  let background: BackgroundHealth
  let outbox: Outbox
  let mails: MailQueue
  let asks: MailAsks
  /// Knows the code of each claim, as the owner of its address does.
  let codes: ClaimCodes
  /// A test may replace its terms, as a reload does.
  let registrar: Reloadable<Registrar>
  /// The reports of refused attempts: method, reason, uid and origin.
  let refusals = Refusals()
  private let network: (any NetworkService)?
  private let verification: VerificationTerms

  init(
    network: (any NetworkService)? = nil, mail: (any MailService)? = nil, hasher: any PasswordHasher = PlainHasher(),
    failing call: Int = 0, verification: VerificationTerms = VerificationTerms(),
    admission: AdmissionTerms = AdmissionTerms(), terms: TermsOfUse? = nil, defersWhenUnreachable: Bool = false,
    languages: ReloadableLanguages = ReloadableLanguages(.english), feed: EventFeed = EventFeed(),
    setback: StoreSetback? = nil,
    limits: Limits = Limits()
  ) {
    (self.network, self.verification) = (network, verification)
    self.feed = feed
    store = MemoryStore { feed.publish(Event($0)) }
    health = Health(feed: feed, time: FixedTime())
    let background = BackgroundHealth(health, time: FixedTime())
    self.background = background
    let normalizer = UnicodeNormalizer()
    let rules = Self.rules(admission, terms)
    let faulty = FaultyStore(store, failing: call, with: .readOnly)
    self.faulty = faulty
    let info = ServerInfo(
      version: "1.2.3", limits: limits, network: "http", store: "sqlite",
      environment: .init(
        name: "success", summary: "the upstream accepts every registration", gives: "success"), uptimeSeconds: { 42 })
    let pendings = OutboxInbox()
    let (key, stampKey) = (store.codeKey, store.stampKey)
    codes = ClaimCodes(SodiumCodeHashing()) { key }
    let registrar = Registrar(
      rules: rules, store: faulty.accounts, hasher: hasher, network: network, time: FixedTime(),
      defersWhenUnreachable: defersWhenUnreachable, leftPending: pendings, verification: verification,
      admission: admission, codes: codes,
      stamps: SessionStamps(SodiumCodeHashing()) { stampKey })
    let live = Reloadable(registrar)
    self.registrar = live
    // Nothing becomes due by itself, however long a test takes.
    let never = Duration.seconds(1_000_000)
    outbox = Outbox(
      registrar, breaker: nil, pendings: pendings, settings: .init(firstPause: never, maximumPause: never))
    mails = MailQueue(
      faulty.accounts, codes, time: FixedTime(),
      .init(service: mail, from: "regd@example.com", settings: .init(firstPause: never, maximumPause: never)),
      languages: languages, lines: UnicodeLineBreaker())
    let asks = MailAsks { await feed.deliver(Event(.mailWanted, at: Fixtures.time, mail: MailNews(wanted: $0))) }
    self.asks = asks
    administrator = Administrator(
      store: faulty.accounts, hasher: hasher, hashes: PasswordHashFormat(), time: FixedTime(),
      forgive: { _ in }, registrar: live)
    table = RegdMethods.table(
      MethodParts(
        registrar: live, administrator: administrator,
        outbox: outbox, mails: mails, asks: asks,
        normalizer: normalizer, info: Reloadable(info), quotas: quotas, feed: feed,
        status: StatusSources(
          health: health, delivery: { .init(breaker: nil, waiting: 0) },
          mails: { .init(backend: "smtp", waiting: 1, counts: .init()) },
          hashing: { .init(pending: 0, workers: 1, queue: 2) }, breachedList: { nil }, storePath: { nil },
          setback: { setback },
          configuration: {
            .init(
              generation: 3, file: "/etc/regd/regd.yaml", loadedAt: FixedTime().now(),
              keys: [
                .init(name: "limits.requestSeconds", values: ("20", "30")),
                .init(name: "network.http.token", values: nil),
              ])
          }, failingTasks: { background.failing }),
        metrics: { "# EOF\n" },
        reload: { isTrial, hold in
          isTrial
            ? .refused([.init(place: "/f:1", key: "k", message: "is wrong")])
            : .done(generation: 4, changed: [hold ?? "limits.requestSeconds"])
        }, holds: StoreHolds(SwitchableEngine(OpenStore(store))), acceptStore: { true }, refused: refusals.add))
    dispatcher = Dispatcher(table: table, limits: limits, languages: languages)
  }

  private static func rules(_ admission: AdmissionTerms, _ terms: TermsOfUse?) -> RegistrationRules {
    let normalizer = UnicodeNormalizer()
    return RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer),
      mode: admission.mode, terms: terms)
  }

  /// Applies other settings, as a reload does.
  func reload(_ admission: AdmissionTerms, _ terms: TermsOfUse? = nil) {
    registrar.replace(
      registrar.value.adapted(
        to: Registrar.Terms(
          rules: Self.rules(admission, terms), network: network, signIns: nil, signInAuthority: .store,
          defersWhenUnreachable: false, disbelief: .seconds(900), verification: verification, admission: admission)))
  }

  /// Makes an invitation, and returns its code.
  func invite(_ params: String = "{}") async throws -> String {
    try #require(JSONValue.outcome(await call("invitation.create", params))["code"]?.string)
  }

  /// - Parameter access: Nil for an administrator's access with uid 0, and for open access with any other uid.
  func talk(uid: UInt32 = 0, pid: Int32 = 0, access: Access? = nil) -> Talk {
    Talk(dispatcher, caller: Peer(uid: uid, gid: 0, pid: pid, access: access ?? (uid == 0 ? .admin : .open)))
  }

  func call(_ method: String, _ params: String, uid: UInt32 = 0) async -> String {
    let reply = await talk(uid: uid).call(method, params).last ?? ""
    expectDescribed(reply, of: method)
    return reply
  }

  /// Checks that the description of a method contains each of the method's own errors.
  private func expectDescribed(_ reply: String, of method: String) {
    guard let reason = JSONValue(reply.utf8)?["error"]?["data"]?["reason"]?.string,
      !ErrorReason.ofProtocol.contains(where: { $0.name == reason }),
      let described = table.methods.first(where: { "\($0.name)" == method })
    else { return }
    #expect(described.errors.contains { $0.name == reason }, "\(method) is not described with \(reason)")
  }
}

extension Talk {
  /// Calls a method with id 1, waits for its work, and returns the reply and the notifications.
  func call(_ method: String, _ params: String) async -> [String] {
    send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}")
    await settle()
    sendNotifications()
    return receive().split(separator: "\n").map(String.init)
  }
}

extension JSONValue {
  /// The short form of a reply: the reason of an error, or the result.
  static func outcome(_ reply: String) throws -> JSONValue {
    let reply = try #require(JSONValue(Array(reply.utf8)))
    return try #require(reply["error"]?["data"]?["reason"] ?? reply["result"])
  }
}

final class Refusals: Sendable {
  private let all = Mutex<[String]>([])

  @Sendable func add(_ attempt: RefusedAttempt) {
    let by = attempt.requester
    all.withLock {
      $0.append("\(attempt.method) \(attempt.reason) \(by.uid) \(by.origin?.text ?? "-")")
    }
  }

  /// The attempts since the last call.
  func taken() -> [String] {
    all.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
