internal import BreachedPasswords
internal import JSONRPC
internal import Linux
internal import Localization
internal import Logging
internal import Methods
internal import Registration

/// The running configuration, and the parts that a reload replaces.
final class ConfigurationInForce: Sendable {
  struct State: Sendable {
    let generation: Int
    let prepared: PreparedConfiguration
  }

  let state: Reloadable<State>
  let registrar: Reloadable<Registrar>
  let info: Reloadable<ServerInfo>
  private let languages: ReloadableLanguages
  private let outbox: Outbox
  private let mails: MailQueue
  private let health: Health
  private let signIns: SignInGuard
  private let resources: DaemonResources

  init(
    _ prepared: PreparedConfiguration, registrar: Reloadable<Registrar>, info: Reloadable<ServerInfo>, outbox: Outbox,
    mails: MailQueue, signIns: SignInGuard, _ languages: ReloadableLanguages, _ health: Health,
    _ resources: DaemonResources
  ) {
    state = Reloadable(State(generation: 1, prepared: prepared))
    self.registrar = registrar
    self.info = info
    self.languages = languages
    self.outbox = outbox
    self.mails = mails
    self.health = health
    self.signIns = signIns
    self.resources = resources
  }

  var settings: Settings { state.value.prepared.settings }
  /// Registrations that wait for an upstream.
  var waiting: Int { outbox.waiting }
  /// Mails that wait for a mail system.
  var mailsWaiting: Int { mails.waiting }

  /// Puts another configuration in force for every operation that begins from now on. Cannot fail. Must not run twice
  /// at once. The caller must pass the new limits and rights on to the connections.
  ///
  /// - Returns: The new generation.
  func replace(with new: PreparedConfiguration) -> Int {
    let old = state.value
    let registrar = registrar.value.adapted(to: new.terms(signIns))
    new.blockedDomains.replace(new.configuration.blockedDomains)
    // before any operation asks the new upstream, because `takeOver` resets the upstream's health
    new.upstream.takeOver(from: old.prepared.upstream)
    self.registrar.replace(registrar)
    outbox.adopt(
      new.outboxTerms(registrar), isOtherUpstream: new.upstream.isOther(than: old.prepared.upstream))
    let isOtherMailSystem = new.mail.isOther(than: old.prepared.mail)
    mails.adopt(new.mailTerms, isOtherSystem: isOtherMailSystem)
    if isOtherMailSystem { health.forget(.mail) }
    var info = info.value
    info.adopt(new.settings)
    self.info.replace(info)
    languages.replace(with: new.configuration.languages)
    resources.log.setLevel(new.settings.log.chosen)
    state.replace(State(generation: old.generation + 1, prepared: new))
    return old.generation + 1
  }

  /// Makes regd share its counts of wrong passwords through `store`, which has replaced the old store.
  func takeUp(_ store: SwitchableEngine) { signIns.share(store.sharedThrottle) }

  /// The configuration's state for `daemon.status`.
  var status: StatusSources.Configuration {
    let state = state.value
    return StatusSources.Configuration(
      generation: state.generation, file: state.prepared.configuration.file, loadedAt: state.prepared.loadedAt,
      keys: state.prepared.configuration.keys.unshipped.map { key in
        .init(name: key.name, values: key.isSecret ? nil : (key.value.excerpt, key.shipped.excerpt))
      })
  }
}

/// The parts made from a configuration: prepared completely before any takes effect.
struct PreparedConfiguration: Sendable {
  let configuration: Configuration
  /// The blocked domains in force. All configurations share this object, so a reload replaces its value only.
  let blockedDomains: Reloadable<DomainList>
  let rules: RegistrationRules
  let breached: BreachedListPart?
  let upstream: Upstream
  let mail: MailSystem
  let loadedAt: Timestamp

  var settings: Settings { configuration.settings }

  /// - Parameter running: The running configuration's parts, or nil at startup.
  /// - Throws: `StartupFailure` if a file or the network cannot be opened. Nothing has changed then.
  init(
    _ configuration: Configuration, after running: PreparedConfiguration? = nil, _ resources: DaemonResources,
    _ context: Upstream.Context, _ mailContext: MailSystem.Context
  ) throws(StartupFailure) {
    let settings = configuration.settings
    self.configuration = configuration
    breached = try BreachedListPart(settings.password, resources.logger)
    upstream = try Upstream(settings.network, after: running?.upstream, context)
    mail = try MailSystem(settings.mail, after: running?.mail, mailContext)
    blockedDomains = running?.blockedDomains ?? Reloadable(configuration.blockedDomains)
    rules = settings.rules(resources.normalizer, blockedDomains, breached: breached?.list)
    loadedAt = resources.time.now()
  }

  /// - Parameter signIns: The guard with the counts of wrong passwords. Used only if throttling is on.
  func terms(_ signIns: SignInGuard) -> Registrar.Terms {
    Registrar.Terms(
      rules: rules, network: upstream.network, signIns: settings.signIn.throttle ? signIns : nil,
      signInAuthority: settings.signIn.authority,
      defersWhenUnreachable: settings.network.whenUnreachable == .defer, disbelief: settings.network.disbelief,
      verification: settings.registration.terms(hasMail: settings.mail.chosen != nil),
      admission: settings.registration.admission)
  }

  func outboxTerms(_ registrar: Registrar) -> Outbox.Terms {
    Outbox.Terms(registrar: registrar, breaker: upstream.breaker, settings: delivering)
  }

  var delivering: DeliverySettings { reading(settings.network.outbox) }

  var mailTerms: MailQueue.Terms {
    MailQueue.Terms(
      service: mail.service, from: settings.mail.from, fromName: settings.mail.fromName,
      site: MailTexts.Site(name: settings.site.name, url: settings.site.url),
      codeLife: settings.registration.codeSeconds, codeAttempts: settings.registration.codeAttempts,
      settings: reading(settings.mail.queue))
  }

  /// Makes regd read the store at least once per lease, so that it soon takes over the work of another regd that has
  /// died and whose claims have expired.
  private func reading(_ delivering: DeliverySettings) -> DeliverySettings {
    var delivering = delivering
    delivering.readingPause = min(delivering.maximumPause, settings.limits.lease)
    return delivering
  }
}

/// The list of breached passwords that the configuration names.
struct BreachedListPart {
  /// The opened list, or nil if the file does not exist. Without it, breached passwords are not refused, as
  /// `daemon.status` shows.
  let list: (any BreachedPasswordList)?
  let status: StatusSources.BreachedList

  /// Opens the list of breached passwords. Returns nil if the configuration names none.
  ///
  /// - Throws: If the file exists and is not a list, because a rule that the operator wants must not be silently off.
  init?(_ settings: PasswordSettings, _ logger: Logger) throws(StartupFailure) {
    let path = settings.breachedList
    guard !path.isEmpty else { return nil }
    guard !FileSystem.isMissing(path) else {
      logger.write(.listMissing, nil, ["file": path])
      list = nil
      status = .init(path: path, found: { nil })
      return
    }
    do throws(BreachedListFailure) {
      let opened = try BreachedList(path: path) {
        logger.write(.listCut, nil, ["file": path])
      }
      list = opened
      status = .init(
        path: path, found: { opened.isWhole ? (opened.entries, opened.falsePositiveRate) : nil })
    } catch {
      throw StartupFailure(.configuration, "password.breachedList: \(error)")
    }
  }
}

extension ConfiguredKey.Value {
  /// The value, cut off after 1000 characters, because the script of a simulated upstream may have some kilobytes.
  fileprivate var excerpt: String {
    let text = "\(self)"
    return text.count > 1000 ? "\(text.prefix(1000))…" : text
  }
}

extension LogSettings {
  var chosen: Logger.Level { Logger.Level(rawValue: level) ?? .info }
}

extension ServerInfo {
  init(_ settings: Settings, uptimeSeconds: @escaping @Sendable () -> Int) {
    self.init(
      version: Version.current, limits: settings.limits.limits, network: settings.network.backend,
      store: settings.store.backend, environment: Self.environment(settings), registration: .init(settings),
      uptimeSeconds: uptimeSeconds)
  }

  mutating func adopt(_ settings: Settings) {
    limits = settings.limits.limits
    network = settings.network.backend
    store = settings.store.backend
    environment = Self.environment(settings)
    registration = .init(settings)
  }

  private static func environment(_ settings: Settings) -> Environment? {
    settings.environment.map { .init(name: $0.name, summary: $0.summary, gives: $0.gives) }
  }
}

extension ServerInfo.Registration {
  fileprivate init(_ settings: Settings) {
    self.init()
    let (registration, password, email) = (settings.registration, settings.password, settings.email)
    mode = registration.mode
    requiresProof = registration.verification == .required
    approval = registration.approval
    terms = registration.terms
    self.password.minimumLength = password.minimumLength
    self.password.maximumLength = password.maximumLength
    self.password.refusesCommon = password.refuseCommon
    self.password.refusesResemblingEmail = password.refuseResemblingEmail
    self.password.refusesBreached = !password.breachedList.isEmpty
    self.email.maximumLength = email.maximumLength
    self.email.internationalized = email.internationalized
    self.email.allowedDomains = email.allowedDomains
  }
}

extension Settings {
  fileprivate func rules(
    _ normalizer: any TextNormalizer, _ blockedDomains: Reloadable<DomainList>, breached: (any BreachedPasswordList)?
  ) -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(
        maximumLength: email.maximumLength, internationalized: email.internationalized,
        allowedDomains: email.allowedDomains, blockedDomains: email.blockedDomains, blockedList: blockedDomains,
        normalizer: normalizer),
      password: PasswordPolicy(password.rules(breached), normalizer: normalizer), mode: registration.mode,
      terms: registration.terms)
  }
}
