internal import RegdClient
package import Sentences

/// The watched regd, and the language for regd's messages and the screen.
package struct TopPartner: Sendable {
  let path: String
  let timeoutSeconds: Int
  let language: Language
  private let wish: String?

  /// - Parameters:
  ///   - path: The path of regd's socket.
  ///   - timeoutSeconds: How long regd may take to answer before it counts as lost.
  ///   - language: The language of the screen.
  ///   - wish: The user's language, as regd is told (`RegdConversation`); nil to tell none.
  package init(path: String, timeoutSeconds: Int, language: Language = .english, wish: String? = nil) {
    (self.path, self.timeoutSeconds, self.language, self.wish) = (path, timeoutSeconds, language, wish)
  }

  func connect() throws(RegdClientFailure) -> RegdConversation {
    try RegdConversation(path: path, timeoutSeconds: timeoutSeconds, language: wish)
  }

  func text(_ key: some SentenceKey, _ values: KeyValuePairs<String, Sentence.Content> = [:]) -> String {
    language.text(of: Sentence(key, values))
  }

  /// Why regd is away, or refuses.
  func reason(of error: any Error) -> String {
    switch error {
    case let error as RegdError:
      text(RefusalSentence.withReason, ["message": .text(error.message), "reason": .text(error.reason)])
    case let failure as RegdClientFailure: language.text(of: failure.sentence)
    default: "\(error)"
    }
  }
}
