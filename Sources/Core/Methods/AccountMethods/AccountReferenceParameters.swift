internal import JSONRPC
internal import Registration

/// `id` or `email`: which account is meant, in the methods for administrators.
enum AccountReferenceParameters {
  static let id = Parameter("id", .string, required: false, "The account's UUID; or email.")
  static let email = Parameter("email", .string, required: false, "The account's address; or id.")

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountReference {
    switch (parameters[id]?.string, parameters[email]?.string) {
    case (let text?, nil):
      guard let id = AccountID(text) else {
        throw .invalidParams("\"id\" must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab.", field: "id")
      }
      return .id(id)
    case (nil, let email?): return .email(email)
    case (nil, nil): throw .invalidParams("Which account is meant needs \"id\" or \"email\".", field: "id")
    case (.some, .some):
      throw .invalidParams("\"id\" and \"email\" are two ways to say one thing; give one.", field: "email")
    }
  }
}

/// `after` and `limit`: which part of a list.
enum PageParameters {
  static let defaultLimit = 100
  static let maximumLimit = 1000

  /// For lists in the order of accounts' ids.
  static let after = Parameter(
    "after", .string, required: false, "The \"next\" of the page before; absent for the first page.")
  static let limit = Parameter("limit", .integer, required: false, "How many at most: 1 to 1000; else 100.")

  static func limit(_ parameters: borrowing Parameters) throws(RPCError) -> Int {
    guard let view = parameters[limit] else { return defaultLimit }
    guard let limit = view.integer, (1...maximumLimit).contains(Int(limit)) else {
      throw .invalidParams("\"limit\" must be a whole number from 1 to \(maximumLimit).", field: "limit")
    }
    return Int(limit)
  }

  static func after(_ parameters: borrowing Parameters) throws(RPCError) -> AccountID? {
    guard let text = parameters[after]?.string else { return nil }
    guard let id = AccountID(text) else {
      throw .invalidParams("\"after\" must be a UUID: the \"next\" of the page before.", field: "after")
    }
    return id
  }
}
