package import Localization
package import RegdClient

/// The watched regd, and the language for regd's messages and the screen.
package struct TopPartner: Sendable {
  let path: String
  let timeoutSeconds: Int
  let language: Language
  private let wish: String?
  private let patience: Patience?
  private let silence: @Sendable () -> RegdClientFailure?

  /// - Parameters:
  ///   - path: The path of regd's socket.
  ///   - timeoutSeconds: How long regd may take to answer before it counts as lost.
  ///   - language: The screen's language.
  ///   - wish: The language to ask regd for (`RegdConversation`), or nil for none.
  ///   - patience: Finds out, while a call waits for a silent regd, whether waiting is pointless.
  ///   - silence: Finds out why regd has not answered in time, or returns nil if it finds no reason.
  package init(
    path: String, timeoutSeconds: Int, language: Language = .english, wish: String? = nil, patience: Patience? = nil,
    silence: @escaping @Sendable () -> RegdClientFailure? = { nil }
  ) {
    (self.path, self.timeoutSeconds, self.language, self.wish) = (path, timeoutSeconds, language, wish)
    (self.patience, self.silence) = (patience, silence)
  }

  func connect() throws(RegdClientFailure) -> RegdConversation {
    try RegdConversation(path: path, timeoutSeconds: timeoutSeconds, language: wish, patience: patience)
  }

  /// The failure to report for a regd that has not answered in time.
  var noAnswer: RegdClientFailure { silence() ?? .timedOut(seconds: timeoutSeconds) }

  func text(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) -> String {
    language.text(of: LocalizedMessage(key, values))
  }

  /// Why regd is unreachable, or refuses.
  func reason(of error: any Error) -> String {
    switch error {
    case let error as RegdError:
      text(RefusalMessageKey.withReason, ["message": .text(error.message), "reason": .text(error.reason)])
    case let failure as RegdClientFailure: language.text(of: failure.briefSentence)
    default: "\(error)"
    }
  }
}
