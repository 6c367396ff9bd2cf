internal import Linux
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

/// An opened backend with its settings and files. A reload keeps the backend if neither settings nor files have
/// changed.
final class OpenedBackend<Port: Sendable>: Sendable {
  let port: Port
  private let backend: any Backend
  /// The status of the files that the settings name, because a replaced file, such as a certificate, must be read
  /// again.
  private let files: [FileStatus?]

  private init(_ backend: any Backend, _ open: () throws(NetworkOpeningFailure) -> Port) throws(StartupFailure) {
    self.backend = backend
    files = Self.files(of: backend)
    do throws(NetworkOpeningFailure) { port = try open() } catch { throw StartupFailure(error) }
  }

  /// Opens a backend, or returns `running` if its settings and files are the same.
  static func open(
    _ backend: any Backend, after running: OpenedBackend?, _ open: () throws(NetworkOpeningFailure) -> Port
  ) throws(StartupFailure) -> OpenedBackend {
    if let running, areEqual([running.backend], [backend]), running.files == files(of: backend) { return running }
    return try OpenedBackend(backend, open)
  }

  private static func files(of backend: any Backend) -> [FileStatus?] {
    backend.files.map { try? FileStatus($0.path) }
  }
}
