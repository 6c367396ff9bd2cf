package import JSONRPC
internal import Localization
internal import Reasons
package import Registration

/// Keeps the methods of a door to accounts whose addresses have one of the door's domains.
package struct DomainFence: Sendable {
  private let administrator: Administrator
  /// Whether the door serves an address. True for a string that is not an address.
  private let serves: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - administrator: Finds the address of an account that a call names by its id.
  ///   - serves: Whether the door serves an address. True for a string that is not an address, because it reaches no
  ///     account, and the method reports the problem.
  package init(_ administrator: Administrator, serves: @escaping @Sendable (String) -> Bool) {
    (self.administrator, self.serves) = (administrator, serves)
  }

  /// The same method within the fence. A method without the parameter `email` remains unchanged.
  ///
  /// An address of another domain is `access.denied`, or `credentials.rejected` if the call has the owner's password,
  /// as at a sign-in. The id of an account of another domain is `account.notFound`.
  package func enclosing(_ method: Method) -> Method {
    // the look at the account of an id also counts for the caller
    fenced(method).sharing()
  }

  private func fenced(_ method: Method) -> Method {
    guard let email = Self.parameter("email", of: method) else { return method }
    let id = Self.parameter("id", of: method)
    let isOwners = "\(method.name)".hasPrefix("owner.")
    let check: @Sendable (borrowing Parameters) throws(RPCError) -> Void = { parameters throws(RPCError) in
      guard let text = parameters[email]?.string, !serves(text) else { return }
      throw isOwners
        ? RPCError(.credentialsRejected, LocalizedMessage(CredentialsMessageKey.rejected))
        : RPCError(.accessDenied, LocalizedMessage(AccessMessageKey.otherDomain))
    }
    switch method.behaviour {
    case .immediate, .cancelling, .discovering: return method
    case .offloadable(let answer):
      return method.with(
        .offloadable { parameters, session, writer throws(RPCError) in
          try check(parameters)
          return try answer(parameters, session, &writer)
        })
    case .suspending(let work):
      return method.with(
        .suspending { parameters, session throws(RPCError) in
          try check(parameters)
          return found(id.flatMap { parameters[$0]?.string }, try work(parameters, session))
        })
    case .lookingUp(let work):
      return method.with(
        .lookingUp { parameters, session throws(RPCError) in
          try check(parameters)
          return found(id.flatMap { parameters[$0]?.string }, try work(parameters, session))
        })
    }
  }

  /// The work, preceded by a check of the address of the account with this id, or the work alone if there is no id.
  private func found(_ id: String?, _ work: @escaping Method.Work) -> Method.Work {
    guard let id = id.flatMap({ AccountID($0) }) else { return work }
    return { cancellation in
      switch await administrator.account(.id(id)) {
      case .account(let account) where serves(account.email.key.value): await work(cancellation)
      case .account: OutcomeReplies.reply(to: AdministrationOutcome.notFound)
      case let other: OutcomeReplies.reply(to: other)
      }
    }
  }

  private static func parameter(_ name: String, of method: Method) -> Parameter? {
    method.parameters.first { "\($0.name)" == name }
  }
}
