internal import MailComposition
internal import Registration

/// How a run of sendmail ended.
enum SendmailEnd: Equatable, Sendable {
  /// The program exited. Holds its messages on standard error.
  case exited(status: Int32, words: String)
  /// The program was ended by a signal that regd did not send.
  case signalled(Int32)
  /// regd ended the program because its time was up.
  case overdue
  /// regd ended the program because the caller was cancelled or regd stops.
  case cancelled
  /// The program does not exist, or the system could not start it. Holds the reason.
  case unstarted(String)
}

/// The one table from the ends of sendmail runs to mail failures.
enum SendmailVerdict {
  /// EX_TEMPFAIL of sysexits.h: the program asks for another attempt later.
  static let tryAgain: Int32 = 75

  /// - Returns: The failure for the caller, or nil if the program accepted the mail.
  static func failure(_ end: SendmailEnd) -> MailFailure? {
    switch end {
    case .exited(status: 0, words: _): nil
    case .exited(status: tryAgain, let words): .deferred(text(tryAgain, words))
    case .exited(let status, let words): .refused(text(status, words))
    // a crash or an operator ended the program: this shows nothing about the mail
    case .signalled(let number): .deferred("sendmail was killed by signal \(number)")
    // no mail can be sent by it
    case .unstarted(let words): .unusable(words)
    case .overdue: .timeout
    case .cancelled: .cancelled
    }
  }

  private static func text(_ status: Int32, _ words: String) -> String {
    let words = HarmlessWords.of(words)
    return "sendmail: exit status \(status)" + (words.isEmpty ? "" : ": \(words)")
  }
}
