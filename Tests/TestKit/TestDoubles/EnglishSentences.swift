package import JSONRPC
package import Registration
package import Sentences

/// A placeholder message, for tests in which only its presence matters.
package enum AnySentence: String, SentenceKey {
  case text = "any.text: {text}"
}

extension Sentence: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(AnySentence.text, ["text": .text(text)]) }
}

extension RPCError {
  package var message: String { sentence.english }
}

extension Problem {
  package var message: String { sentence.english }
}

extension PasswordHashProblem {
  package var message: String { sentence.english }
}
