import JSONRPC
import RegdClient
import Registration
import TestDoubles
import Testing

/// The data that a front end keeps of a sign-in.
struct KeptSession: Equatable {
  let account: String
  let stamp: String

  /// - Parameter answer: Must have a stamp.
  init(_ answer: JSONValue) throws {
    let stamp = try #require(answer["stamp"]?.string, "\(answer.text)")
    #expect((16...64).contains(stamp.utf8.count) && stamp.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    self.init(account: try #require(answer["account"]?["id"]?.string), stamp: stamp)
  }

  init(account: String, stamp: String) { (self.account, self.stamp) = (account, stamp) }
}

/// The calls of an end user whose account is a@example.com.
extension Subject {
  static let owner = #""email":"a@example.com","password":"a fine phrase""#
  static let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#
  static let who = #"{"email":"a@example.com"}"#
  static let setting =
    #"{"email":"a@example.com","password":"a new phrase","passwordConfirmation":"a new phrase"}"#

  func outcome(_ method: String, _ params: String, uid: UInt32 = 0) async throws -> JSONValue {
    try JSONValue.outcome(await call(method, params, uid: uid))
  }

  func signIn(_ params: String = owner) async throws -> KeptSession {
    try KeptSession(try await outcome("session.signIn", "{\(params)}"))
  }

  /// The reason why a sign-in is not valid, or nil if it is valid.
  func check(_ kept: KeptSession) async throws -> String? {
    try await outcome("session.check", #"{"account":"\#(kept.account)","stamp":"\#(kept.stamp)"}"#, uid: 7).string
  }

  func registered() async throws -> Subject {
    _ = try await outcome("registration.register", Self.entry)
    return self
  }

  /// The id and the code of a reply's claim, as members of params.
  func claim(_ answer: JSONValue) async throws -> String {
    let id = try #require(answer["claim"]?["id"]?.string)
    let claim = try await store.find(try #require(ClaimID(id)), at: Fixtures.time)
    return "\"claim\":\"\(id)\",\"code\":\"\(codes.code(of: try #require(claim)))\""
  }
}
