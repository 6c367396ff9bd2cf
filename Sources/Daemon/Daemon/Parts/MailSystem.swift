internal import Logging
internal import Registration

/// The mail system that the configuration chooses, opened.
struct MailSystem: Sendable {
  /// Parts that all mail systems of a process share.
  struct Context: Sendable {
    let logger: Logger
    let networks: OpenNetworks
    let asks: MailAsks
  }

  /// The opened mail system, or nil if no mail is sent.
  var service: (any MailService)? { opened?.port }
  private let opened: OpenedBackend<any MailService>?

  /// Opens the mail system that the settings choose, but sends nothing yet.
  ///
  /// - Parameter running: The running mail system, which is kept if the settings choose the same one. Nil at startup.
  init(
    _ settings: MailSettings, after running: MailSystem? = nil, _ context: Context
  ) throws(StartupFailure) {
    guard let chosen = settings.chosen else {
      opened = nil
      return
    }
    let (logger, asks) = (context.logger, context.asks)
    opened = try .open(chosen, after: running?.opened) { () throws(NetworkOpeningFailure) in
      context.networks.lend(
        try chosen.open(
          MailContext(
            ask: { (mail, time) async throws(MailFailure) in try await asks.ask(mail, within: time) },
            warn: { logger.write(.mailFile, $0) })))
    }
  }

  /// Whether this is another mail system than `old`.
  func isOther(than old: MailSystem) -> Bool { opened !== old.opened }
}
