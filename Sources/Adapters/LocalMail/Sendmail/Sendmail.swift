internal import AsyncPrimitives
internal import Linux
internal import MailComposition
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// Hands mails to a program with sendmail's command line: one process per mail, a few at once.
///
/// The recipient is an argument after `--`, so that the program does not search the headers for it (`-t`), and an
/// address that begins with a hyphen is not taken for an option. `-i` keeps a line with a single dot from ending the
/// mail, and `-f` sets the envelope's sender.
final class Sendmail: MailService {
  private let program: String
  private let limit: Duration
  private let warn: @Sendable (String) -> Void
  private let threads: WorkerThreads
  private let inFlight = Mutex<(isStopped: Bool, runs: [ObjectIdentifier: SendmailRun])>((false, [:]))

  private static let processes = 4

  init(_ program: String, within limit: Duration, warn: @escaping @Sendable (String) -> Void)
    throws(NetworkOpeningFailure)
  {
    self.program = program
    self.limit = limit
    self.warn = warn
    do {
      threads = try WorkerThreads(name: "regd-sendmail", count: Self.processes)
    } catch {
      throw .operatingSystem("no threads for sendmail: \(SystemError.text(error.errorNumber))")
    }
  }

  func send(_ mail: Mail) async throws(MailFailure) {
    let text = try MailText(mail)
    let deadline = ContinuousClock.now + limit
    let run: SendmailRun
    do throws(SystemError) {
      run = try SendmailRun(
        program, ["-i", "-f", text.sender, "--", text.recipient], input: text.bytes(.system), until: deadline)
    } catch { throw .unusable(error.description) }
    let isTaken = inFlight.withLock { inFlight in
      guard !inFlight.isStopped else { return false }
      inFlight.runs[ObjectIdentifier(run)] = run
      threads.submit { run.play() }
      return true
    }
    guard isTaken else { throw .cancelled }
    let end = await run.end.value { run.cancel() }
    _ = inFlight.withLock { $0.runs.removeValue(forKey: ObjectIdentifier(run)) }
    if case .unstarted(let words) = end { warn("mail.sendmail.path: \(words)") }
    if let failure = SendmailVerdict.failure(end) { throw failure }
  }

  /// Refuses later mails, ends the running programs, and waits for them.
  func stop() {
    let runs = inFlight.withLock { inFlight in
      inFlight.isStopped = true
      return inFlight.runs.values.map(\.self)
    }
    for run in runs { run.cancel() }
    threads.stop()
  }
}
