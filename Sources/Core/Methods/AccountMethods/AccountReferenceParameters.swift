internal import JSONRPC
internal import Localization
internal import Registration

/// `id` or `email`: names an account in the methods for administrators.
enum AccountReferenceParameters {
  static let id = Parameter(
    "id", .string, required: false, "The UUID of the account; required unless email is given.", .uuid)
  static let email = Parameter(
    "email", .string, required: false, "The address of the account; required unless id is given.")

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountReference {
    switch (parameters[id]?.string, parameters[email]?.string) {
    case (let text?, nil):
      guard let id = AccountID(text) else {
        throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountID), field: "id")
      }
      return .id(id)
    case (nil, let email?): return .email(email)
    case (nil, nil): throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountMissing), field: "id")
    case (.some, .some):
      throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountTwice), field: "email")
    }
  }
}
