internal import Linux
internal import Logging
internal import Registration

/// The mail system that the configuration chooses, open.
struct MailSystem: Sendable {
  /// What all mail systems of a process share.
  struct Surroundings: Sendable {
    let logger: Logger
    let time: any TimeSource
    let networks: OpenNetworks
    let asks: MailAsks
  }

  /// Nil if no mail is sent.
  var service: (any MailService)? { opened?.service }
  private let opened: Opened?

  /// A mail system that was opened, and what it was opened by.
  private final class Opened: Sendable {
    let backend: any MailBackend
    /// Of the files that its keys name: who replaces a certificate wants it read.
    let files: [FileStatus?]
    let service: any MailService

    init(_ backend: any MailBackend, _ surroundings: Surroundings) throws(StartupFailure) {
      self.backend = backend
      files = Self.files(of: backend)
      let (logger, asks) = (surroundings.logger, surroundings.asks)
      do throws(NetworkOpeningFailure) {
        service = surroundings.networks.lend(
          try backend.open(
            MailSurroundings(
              time: surroundings.time,
              ask: { (mail, time) async throws(MailFailure) in try await asks.ask(mail, within: time) },
              warn: { logger.write(.mailFile, $0) })))
      } catch {
        throw StartupFailure(error)
      }
    }

    /// Whether the backend would open the same.
    func isStill(_ backend: any MailBackend) -> Bool {
      areEqual([self.backend], [backend]) && files == Self.files(of: backend)
    }

    private static func files(of backend: any MailBackend) -> [FileStatus?] {
      backend.files.map { try? FileStatus($0.path) }
    }
  }

  /// Opens the mail system that the settings choose; it sends nothing yet.
  ///
  /// - Parameter running: The mail system until now: where the settings choose the same one, it stays.
  init(
    _ settings: MailSettings, after running: MailSystem? = nil, _ surroundings: Surroundings
  ) throws(StartupFailure) {
    guard let chosen = settings.chosen else {
      opened = nil
      return
    }
    if let kept = running?.opened, kept.isStill(chosen) {
      opened = kept
    } else {
      opened = try Opened(chosen, surroundings)
    }
  }

  /// Whether it is another mail system than `old`.
  func isOther(than old: MailSystem) -> Bool { opened !== old.opened }
}
