internal import PasswordHashing
internal import RegdClient
internal import Registration
internal import WireFormats

/// Checks that the audit's entries make the tree that its head shows, by the definition of RFC 9162, section 2.1.
struct AuditChecks: Checking {
  /// What a head has shown.
  struct Head {
    let size: Int
    let root: String
  }

  let oracle: Oracle
  private let cryptography = SodiumAuditCryptography()

  init(oracle: Oracle) { self.oracle = oracle }

  /// - Parameters:
  ///   - events: All entries that `events.list` returned after the head was read.
  ///   - head: The result of `audit.head`.
  func judge(_ events: [JSONValue], _ head: JSONValue) {
    let leaves = events.map(leaf)
    let present = Head(size: head["size"]?.integer ?? -1, root: head["root"]?.string ?? "")
    hold(.tree, fits(present, leaves), "\(leaves.count) entries do not have the head \(present)")
    for earlier in oracle.heads {
      hold(.treeGrows, fits(earlier, leaves), "\(leaves.count) entries do not begin with those of the head \(earlier)")
    }
    oracle.heads.append(present)
    for event in events { hold(.salts, isSealed(event), "the commitment of \(event.text)") }
  }

  /// Whether a list of entries begins with those of an earlier list. If the audit erases addresses during the run, a
  /// sweep between the two lists may have erased some, so that only the leaves are equal.
  func begins(_ all: [JSONValue], with earlier: [JSONValue]) -> Bool {
    let first = Array(all.prefix(earlier.count))
    return first == earlier || (scenario.hasErasure && first.map(leaf) == earlier.map(leaf))
  }

  private func fits(_ head: Head, _ leaves: [[UInt8]]) -> Bool {
    (0...leaves.count).contains(head.size) && Base64.encoded(root(leaves.prefix(head.size))) == head.root
  }

  private func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
    guard let first = leaves.first else { return cryptography.digest([]) }
    guard leaves.count > 1 else { return cryptography.digest([0] + first) }
    var half = 1
    while half * 2 < leaves.count { half *= 2 }
    return cryptography.digest([1] + root(leaves.prefix(half)) + root(leaves.dropFirst(half)))
  }

  /// The bytes of an entry's leaf. Texts of simulated entries have no characters that the two programs write differently.
  private func leaf(_ event: JSONValue) -> [UInt8] {
    canonical(event) { !["email", "origin", "salt"].contains($0) }
  }

  /// Whether an entry with an address or an origin has the salt with which its commitment was made, and an entry without
  /// them has no salt any more.
  private func isSealed(_ event: JSONValue) -> Bool {
    let salt = event["salt"]?.string.flatMap { Base64.decoded($0.utf8) }
    guard event["email"] != nil || event["origin"] != nil else { return event["salt"] == nil }
    guard let salt, salt.count == 32 else { return false }
    let digest = cryptography.digest(salt + canonical(event) { ["email", "origin"].contains($0) })
    return Base64.encoded(digest) == event["commitment"]?.string
  }

  /// Canonical JSON of some of an object's members.
  private func canonical(_ event: JSONValue, _ isMeant: (String) -> Bool) -> [UInt8] {
    guard case .object(let members) = event else { return [] }
    return Array(JSONValue.object(members.filter { isMeant($0.name) }.sorted { $0.name < $1.name }).text.utf8)
  }
}
