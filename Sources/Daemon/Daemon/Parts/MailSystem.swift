internal import Linux
internal import Logging
internal import Registration

/// The mail system that the configuration chooses, opened.
struct MailSystem: Sendable {
  /// Parts that all mail systems of a process share.
  struct Surroundings: Sendable {
    let logger: Logger
    let time: any TimeSource
    let networks: OpenNetworks
    let asks: MailAsks
  }

  /// Nil if no mail is sent.
  var service: (any MailService)? { opened?.service }
  private let opened: Opened?

  /// An opened mail system, and the settings that it was opened with.
  private final class Opened: Sendable {
    let backend: any MailBackend
    /// The status of the files that the settings name: a replaced certificate must be read again.
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

    /// Whether opening the backend would give the same mail system.
    func isStill(_ backend: any MailBackend) -> Bool {
      areEqual([self.backend], [backend]) && files == Self.files(of: backend)
    }

    private static func files(of backend: any MailBackend) -> [FileStatus?] {
      backend.files.map { try? FileStatus($0.path) }
    }
  }

  /// Opens the mail system that the settings choose; sends nothing yet.
  ///
  /// - Parameter running: The present mail system; kept if the settings choose the same one.
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

  /// Whether this is another mail system than `old`.
  func isOther(than old: MailSystem) -> Bool { opened !== old.opened }
}
