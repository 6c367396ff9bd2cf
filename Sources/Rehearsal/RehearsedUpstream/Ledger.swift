package import RehearsedNetworks

/// What an upstream knows: who is registered there, what it was asked, and what it had to complain of.
package struct Ledger: Equatable, Sendable {
  /// A registration as it arrived.
  package struct Registration: Equatable, Sendable {
    package let idempotencyKey: String
    package let id: String
    /// Byte by byte as received, but for ASCII's capital letters, which are small here.
    package let email: String

    package init(idempotencyKey: String, id: String, email: String) {
      self.idempotencyKey = idempotencyKey
      self.id = id
      self.email = email
    }

    /// By the address's bytes, not by Unicode's equivalence of strings.
    package static func == (one: Registration, other: Registration) -> Bool {
      one.idempotencyKey == other.idempotencyKey && one.id == other.id && one.email.utf8.elementsEqual(other.email.utf8)
    }
  }

  /// What was done, in order; each once, however often it was asked for.
  package private(set) var registrations: [Registration] = []
  /// How many requests came that a step of the script was played to, since the server's start.
  package private(set) var requests: [Script.Operation: Int] = [:]
  /// What a client that keeps to the agreement never causes, in words. Without what may be secret.
  package private(set) var complaints: [String] = []

  /// Where in `registrations` an address stands, and a key.
  private var byEmail: [[UInt8]: Int] = [:]
  private var byKey: [String: Int] = [:]

  init() {}

  /// By bytes: as strings, two normal forms of one name would be the same.
  func holder(of email: String) -> Registration? { byEmail[Array(email.utf8)].map { registrations[$0] } }

  /// What was registered under a key; at most one.
  func registration(under key: String) -> Registration? { byKey[key].map { registrations[$0] } }

  /// Registers, unless somebody has the address.
  mutating func add(_ registration: Registration) {
    guard holder(of: registration.email) == nil else { return }
    byEmail[Array(registration.email.utf8)] = registrations.count
    byKey[registration.idempotencyKey] = registrations.count
    registrations.append(registration)
  }

  mutating func count(_ operation: Script.Operation) { requests[operation, default: 0] += 1 }

  mutating func complain(_ complaint: String) { complaints.append(complaint) }
}
