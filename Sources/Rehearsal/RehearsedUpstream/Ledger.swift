package import RehearsedNetworks

/// An upstream's record of its registrations, its requests, and its clients' violations of the protocol.
package struct Ledger: Equatable, Sendable {
  /// A registration as it arrived.
  package struct Registration: Equatable, Sendable {
    package let idempotencyKey: String
    package let id: String
    /// The address as received, with ASCII in lower case.
    package let email: String

    package init(idempotencyKey: String, id: String, email: String) {
      self.idempotencyKey = idempotencyKey
      self.id = id
      self.email = email
    }

    /// Compares addresses by bytes, not by Unicode's equivalence of strings.
    package static func == (one: Registration, other: Registration) -> Bool {
      one.idempotencyKey == other.idempotencyKey && one.id == other.id && one.email.utf8.elementsEqual(other.email.utf8)
    }
  }

  /// The registrations in order, each once, however often it was requested.
  package private(set) var registrations: [Registration] = []
  /// The number of valid requests since the server's start, by operation.
  package private(set) var requests: [Script.Operation: Int] = [:]
  /// Violations of the protocol, in words and without secrets. A correct client causes none.
  package private(set) var complaints: [String] = []

  /// Indices in `registrations`, by the bytes of the addresses.
  private var byEmail: [[UInt8]: Int] = [:]
  private var byKey: [String: Int] = [:]

  init() {}

  /// Finds the registration of an address by its bytes, because strings in different Unicode normal forms compare equal.
  func holder(of email: String) -> Registration? { byEmail[Array(email.utf8)].map { registrations[$0] } }

  /// The registration with this idempotency key.
  func registration(under key: String) -> Registration? { byKey[key].map { registrations[$0] } }

  /// Registers, unless the address is taken.
  mutating func add(_ registration: Registration) {
    guard holder(of: registration.email) == nil else { return }
    byEmail[Array(registration.email.utf8)] = registrations.count
    byKey[registration.idempotencyKey] = registrations.count
    registrations.append(registration)
  }

  mutating func count(_ operation: Script.Operation) { requests[operation, default: 0] += 1 }

  mutating func complain(_ complaint: String) { complaints.append(complaint) }
}
