internal import JSONRPC
internal import Registration
internal import Sentences

/// `id` or `email`: names an account in the methods for administrators.
enum AccountReferenceParameters {
  static let id = Parameter("id", .string, required: false, "The account's UUID; or email.")
  static let email = Parameter("email", .string, required: false, "The account's address; or id.")

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountReference {
    switch (parameters[id]?.string, parameters[email]?.string) {
    case (let text?, nil):
      guard let id = AccountID(text) else {
        throw .invalidParams(Sentence(ParameterSentence.accountID), field: "id")
      }
      return .id(id)
    case (nil, let email?): return .email(email)
    case (nil, nil): throw .invalidParams(Sentence(ParameterSentence.accountMissing), field: "id")
    case (.some, .some):
      throw .invalidParams(Sentence(ParameterSentence.accountTwice), field: "email")
    }
  }
}

/// `after` and `limit`: select a part of a list.
enum PageParameters {
  static let defaultLimit = 100
  static let maximumLimit = 1000

  /// The parameter for lists in the order of accounts' ids.
  static let after = Parameter(
    "after", .string, required: false, "The \"next\" of the page before; absent for the first page.")
  static let limit = Parameter("limit", .integer, required: false, "How many at most: 1 to 1000; else 100.")

  static func limit(_ parameters: borrowing Parameters) throws(RPCError) -> Int {
    guard let view = parameters[limit] else { return defaultLimit }
    guard let limit = view.integer, (1...maximumLimit).contains(Int(limit)) else {
      throw .invalidParams(
        Sentence(ParameterSentence.pageLimit, ["maximum": .number(maximumLimit)]), field: "limit")
    }
    return Int(limit)
  }

  static func after(_ parameters: borrowing Parameters) throws(RPCError) -> AccountID? {
    guard let text = parameters[after]?.string else { return nil }
    guard let id = AccountID(text) else {
      throw .invalidParams(Sentence(ParameterSentence.pageAfter), field: "after")
    }
    return id
  }
}
