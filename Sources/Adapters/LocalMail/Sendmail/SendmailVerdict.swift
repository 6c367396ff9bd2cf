internal import MailComposition
internal import Registration

/// How a sendmail ended.
enum SendmailEnd: Equatable, Sendable {
  /// By itself, and what it wrote to standard error.
  case exited(status: Int32, words: String)
  /// By a signal that was not regd's.
  case signalled(Int32)
  /// It was ended because its time was over.
  case overdue
  /// It was ended because nothing waits for it any more.
  case cancelled
  /// There is no such program, or the system has no room for it: its words.
  case unstarted(String)
}

/// The one table from how it ended to what that means.
enum SendmailVerdict {
  /// EX_TEMPFAIL of sysexits.h: the program asks to be called again.
  static let tryAgain: Int32 = 75

  /// - Returns: Nil if it has taken the mail.
  static func failure(_ end: SendmailEnd) -> MailFailure? {
    switch end {
    case .exited(status: 0, words: _): nil
    case .exited(status: tryAgain, let words): .deferred(text(tryAgain, words))
    case .exited(let status, let words): .refused(text(status, words))
    // a crash, or an operator: it says nothing of the mail
    case .signalled(let number): .deferred("sendmail was ended by signal \(number)")
    case .unstarted(let words): .deferred(words)
    case .overdue: .timeout
    case .cancelled: .cancelled
    }
  }

  private static func text(_ status: Int32, _ words: String) -> String {
    let words = HarmlessWords.of(words)
    return "sendmail: exit status \(status)" + (words.isEmpty ? "" : ": \(words)")
  }
}
