package import LoginVerdicts
internal import Reasons
internal import RegdClient

/// A question that another program asks regd through a helper process. Each becomes one call.
package enum HelperQuestion: Equatable, Sendable {
  /// Whether the credentials are right, and the account is in one of the groups. Without groups, every account may sign in.
  case signIn(Credentials, groups: [String] = [])
  /// Whether the address has an account.
  case exists(email: String)
  case setPassword(email: String, password: String)
  case register(email: String, password: String)
  case remove(email: String)
  /// Removes the account, as its owner, who knows the password.
  case removeOwn(Credentials)

  var method: String {
    switch self {
    case .signIn: "session.signIn"
    case .exists: "registration.checkEmail"
    case .setPassword: "account.setPassword"
    case .register: "registration.register"
    case .remove: "account.delete"
    case .removeOwn: "owner.delete"
    }
  }

  var params: JSONValue {
    switch self {
    case .signIn(let credentials, let groups):
      .object(
        credentials.members + (groups.isEmpty ? [] : [.init("groups", .array(groups.map { .string($0) }))]))
    case .removeOwn(let credentials): .object(credentials.members)
    case .exists(let email), .remove(let email): ["email": .string(email)]
    case .setPassword(let email, let password), .register(let email, let password):
      RegdClient.entry(email: email, password: password, confirmation: password)
    }
  }

  /// Whether asking again is harmless if the first answer is missing.
  var isRepeatable: Bool {
    switch self {
    case .signIn, .exists: true
    case .setPassword, .register, .remove, .removeOwn: false
    }
  }
}

extension Credentials {
  /// The params that have the credentials.
  fileprivate var members: [JSONValue.Member] {
    [.init("email", .string(email)), .init("password", .string(password))]
      + (origin.map { [.init("origin", .string($0))] } ?? [])
  }
}

/// The answer to a `HelperQuestion`: regd's decision as a verdict, or `away` if regd has not decided.
package struct HelperAnswer: Equatable, Sendable {
  package let verdict: LoginVerdict
  /// The reason of regd's error, or regctl's own name for a missing answer. It is nil with `right`.
  package let reason: String?
  /// The account's address as it was typed at registration, and the name that regd reports for it, or nil if regd does
  /// not send them.
  package var email: String?
  package var name: String?

  package init(_ verdict: LoginVerdict, reason: String? = nil) { (self.verdict, self.reason) = (verdict, reason) }

  package static func away(_ reason: String) -> HelperAnswer { HelperAnswer(.away, reason: reason) }
}

extension HelperQuestion {
  func answer(_ reply: Result<JSONValue, RegdError>) -> HelperAnswer {
    switch reply {
    case .failure(let error): HelperAnswer(verdict(on: error.reason), reason: error.reason)
    case .success(let result): answer(result)
    }
  }

  /// The verdict on an error. A denial is regd's decision, because a repeat would have the same answer. But it does not
  /// decide a sign-in, because it is not about the account.
  private func verdict(on reason: String) -> LoginVerdict {
    switch self {
    case .signIn: LoginVerdict(reason: reason)
    case .exists, .setPassword, .register, .remove, .removeOwn:
      ErrorReason.named(reason)?.kind == .denial ? .refused : LoginVerdict(reason: reason)
    }
  }

  private func answer(_ result: JSONValue) -> HelperAnswer {
    switch self {
    case .signIn:
      guard let email = result["account"]?["email"]?.string else { return .away("notAReply") }
      var answer = HelperAnswer(.right)
      (answer.email, answer.name) = (email, result["name"]?.string)
      return answer
    case .exists:
      guard let isFree = result["available"]?.bool else { return .away("notAReply") }
      return isFree ? HelperAnswer(.wrong, reason: "account.notFound") : HelperAnswer(.right)
    case .register:
      // regd has made only a claim, which a mailed code has to confirm, and the program cannot ask anyone for the code
      return result["account"] == nil ? HelperAnswer(.refused, reason: "claim") : HelperAnswer(.right)
    case .setPassword, .remove, .removeOwn: return HelperAnswer(.right)
    }
  }
}
