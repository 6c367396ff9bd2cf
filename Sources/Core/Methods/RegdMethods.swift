package import JSONRPC
package import Registration
package import WireProtocols

/// The parts of regd that its methods use.
package struct MethodParts: Sendable {
  package var registrar: Reloadable<Registrar>
  package var administrator: Administrator
  package var auditor: Auditor
  package var outbox: Outbox
  package var mails: MailQueue
  /// Receives the reports of subscribers who have sent a mail.
  package var asks: MailAsks
  package var normalizer: any TextNormalizer
  package var info: Reloadable<ServerInfo>
  package var quotas: PeerQuotas
  package var feed: EventFeed
  package var status: StatusSources
  /// All metrics as OpenMetrics text.
  package var metrics: @Sendable () -> String
  package var reload: ReloadMethod.Reload
  package var holds: StoreHolds
  /// Continues with a database that has gone back to an earlier state. Returns whether it had.
  package var acceptStore: @Sendable () -> Bool
  package var refused: RefusalObserver

  package init(
    registrar: Reloadable<Registrar>, administrator: Administrator, auditor: Auditor, outbox: Outbox, mails: MailQueue,
    asks: MailAsks, normalizer: any TextNormalizer,
    info: Reloadable<ServerInfo>, quotas: PeerQuotas, feed: EventFeed, status: StatusSources,
    metrics: @escaping @Sendable () -> String, reload: @escaping ReloadMethod.Reload, holds: StoreHolds,
    acceptStore: @escaping @Sendable () -> Bool = { false }, refused: @escaping RefusalObserver = { _ in }
  ) {
    self.registrar = registrar
    self.administrator = administrator
    self.auditor = auditor
    self.outbox = outbox
    self.mails = mails
    self.asks = asks
    self.normalizer = normalizer
    self.info = info
    self.quotas = quotas
    self.feed = feed
    self.status = status
    self.metrics = metrics
    self.reload = reload
    self.holds = holds
    self.acceptStore = acceptStore
    self.refused = refused
  }
}

/// All methods of regd. A new method needs one file, and one line here.
package enum RegdMethods {
  package static func table(_ parts: MethodParts) -> MethodTable {
    let (registrar, administrator, normalizer) = (parts.registrar, parts.administrator, parts.normalizer)
    let attempts =
      ClaimMethods.all(registrar) + RecoveryMethods.all(registrar, normalizer)
      + OwnerMethods.all(registrar, normalizer, parts.info)
    let all =
      [
        PingMethod.method,
        DiscoverMethod.method,
        ServerInfoMethod.make(parts.info),
        CancelMethod.method,
        CancelMethod.alias,
        LanguageMethod.method,
        ValidateMethod.make(registrar, normalizer),
        CheckEmailMethod.make(registrar),
        RegisterMethod.make(registrar, normalizer).reporting(to: parts.refused),
        RegistrationStatusMethod.make(registrar),
        SignInMethod.make(registrar, normalizer).reporting(to: parts.refused),
        SessionCheckMethod.make(registrar),
        FormMethods.open(registrar),
        FormMethods.set(registrar, normalizer),
        FormSubmitMethod.make(registrar, parts.refused),
        FormMethods.close,
      ] + attempts.map { $0.reporting(to: parts.refused) } + [ClaimListMethod.make(administrator, parts.info)]
      + AccountMethods.all(administrator, normalizer) + [
        AccountCreateMethod.make(administrator, normalizer),
        AccountListMethods.list(administrator, parts.info),
        AccountListMethods.export(administrator, parts.info),
        AccountImportMethod.make(administrator, parts.info),
        GroupListMethod.make(administrator, parts.info),
      ] + InvitationMethods.all(administrator, parts.info) + OutboxMethods.all(parts.outbox, parts.info)
      + MailMethods.all(parts.mails, parts.asks, parts.info) + [
        EventMethods.subscribe(parts.feed) { [asks = parts.asks, mails = parts.mails] in
          if asks.hasSubscriber() { mails.tryNow() }
        },
        EventMethods.unsubscribe,
        EventMethods.list(administrator, parts.auditor, parts.info),
      ] + AuditMethods.all(parts.auditor) + [
        StatusMethod.make(parts.info, parts.quotas, parts.status, parts.feed),
        MetricsMethod.make(parts.metrics),
        ReloadMethod.make(parts.reload),
        HoldMethods.hold(parts.holds),
        HoldMethods.release(parts.holds),
        AcceptStoreMethod.make(parts.acceptStore),
      ]
    return MethodTable(all.map { $0.sharing() }, RegdDescription.all)
  }
}
