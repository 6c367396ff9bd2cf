package import JSONRPC
package import Localization
package import Registration

/// A placeholder message, for tests in which only its presence matters.
package enum AnyMessageKey: String, MessageKey {
  case text = "any.text: {text}"
}

extension LocalizedMessage: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(AnyMessageKey.text, ["text": .text(text)]) }
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
