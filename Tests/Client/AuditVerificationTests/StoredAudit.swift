import CSodium
import RegdClient
import WireFormats

@testable import AuditVerification

/// An audit in memory as regd stores it: entries, and the tree over the entries as they were at first. The tree is
/// computed by the definition in RFC 9162, section 2.1.1, and not by the code under test.
final class StoredAudit: AuditSource {
  struct Row {
    var number: Int
    var uid: Int
    var email: String?
    var salt = [UInt8](repeating: 7, count: 32)
    /// The commitment that regd made when it made the entry.
    var commitment: String?

    init(_ number: Int, uid: Int = 0, email: String? = nil) {
      (self.number, self.uid, self.email) = (number, uid, email)
      commitment = email.map { Base64.encoded(StoredAudit.sha256(salt + Array("{\"email\":\"\($0)\"}".utf8))) }
    }

    /// The canonical JSON of the entry without its address.
    var leaf: String {
      let committed = commitment.map { "\"commitment\":\"\($0)\"," } ?? ""
      let end = "\"event\":\"account.registered\",\"uid\":\(uid)}"
      return "{\"account\":\"a-\(number)\",\(committed)\"entry\":\(number),\(end)"
    }

    /// The entry as `events.list` returns it to an administrator.
    var text: String {
      var members = ["\"event\":\"account.registered\"", "\"entry\":\(number)", "\"account\":\"a-\(number)\""]
      if let email { members.append("\"email\":\"\(email)\"") }
      members.append("\"uid\":\(uid)")
      if let commitment { members.append("\"commitment\":\"\(commitment)\"") }
      if email != nil { members.append("\"salt\":\"\(Base64.encoded(salt))\"") }
      return "{\(members.joined(separator: ","))}"
    }
  }

  var rows: [Row]
  private var leaves: [[UInt8]] = []
  private var places: [Int: Int] = [:]
  private var nodes: [Range<Int>: [UInt8]] = [:]
  /// Leaves with which regd has lost the hashes of the subtrees that end there.
  private var lost: Set<Int> = []
  private var request: (after: Int, limit: Int)?
  /// Entries that regd makes once the first head was read.
  var later: [Row] = []
  private(set) var proofs = 0
  private let seed: UInt8

  init(_ rows: [Row], seed: UInt8 = 1) {
    self.rows = []
    self.seed = seed
    for row in rows { add(row) }
  }

  /// Entries with every second number, of which two thirds have an address.
  static func rows(_ count: Int) -> [Row] {
    (0..<count).map { Row(1 + 2 * $0, uid: $0, email: $0 % 3 == 0 ? nil : "n\($0)@example.com") }
  }

  func add(_ row: Row) {
    rows.append(row)
    places[row.number] = leaves.count
    leaves.append(Self.sha256([0] + Array(row.leaf.utf8)))
  }

  /// Removes an entry from a store that keeps hashes with entries, such as PostgreSQL's.
  func remove(withHashesAt index: Int) {
    rows.remove(at: index)
    lost.insert(index)
    nodes = [:]
  }

  /// Puts an entry in the place of another one with its number, in a store that keeps places and hashes with entries.
  func replace(withHashesAt index: Int, uid: Int) {
    rows[index].uid = uid
    places[rows[index].number] = nil
    lost.insert(index)
    nodes = [:]
  }

  /// Gives two entries each other's numbers in a store that keeps places with entries, such as PostgreSQL's.
  func swap(withPlaces one: Int, _ other: Int) {
    let numbers = (rows[one].number, rows[other].number)
    (rows[one].number, rows[other].number) = (numbers.1, numbers.0)
    rows.swapAt(one, other)
    (places[numbers.0], places[numbers.1]) = (other, one)
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash
  }

  /// MTH(D[range]) of RFC 9162, section 2.1.1.
  func hash(_ range: Range<Int>) -> [UInt8] {
    if let known = nodes[range] { return known }
    let isComplete = range.count.nonzeroBitCount == 1
    if isComplete, lost.contains(range.upperBound - 1) { return [UInt8](repeating: 0, count: 32) }
    let hash: [UInt8]
    switch range.count {
    case 0: return Self.sha256([])
    case 1: return leaves[range.lowerBound]
    default:
      let middle = Self.middle(range)
      hash = Self.sha256([1] + self.hash(range.lowerBound..<middle) + self.hash(middle..<range.upperBound))
    }
    nodes[range] = hash
    return hash
  }

  private static func middle(_ range: Range<Int>) -> Int {
    var size = 1
    while size * 2 < range.count { size *= 2 }
    return range.lowerBound + size
  }

  /// PATH(m, D[range]) of RFC 9162, section 2.1.3.1.
  private func path(_ index: Int, _ range: Range<Int>) -> [[UInt8]] {
    guard range.count > 1 else { return [] }
    let middle = Self.middle(range)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    return index < middle ? path(index, left) + [hash(right)] : path(index, right) + [hash(left)]
  }

  /// PROOF(m, D[range]) of RFC 9162, section 2.1.4.1.
  func consistency(from: Int, to: Int) -> [[UInt8]] { from == to ? [] : part(from, 0..<to, true) }

  private func part(_ from: Int, _ range: Range<Int>, _ isWhole: Bool) -> [[UInt8]] {
    if from == range.upperBound { return isWhole ? [] : [hash(range)] }
    let middle = Self.middle(range)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    if from <= middle { return part(from, left, isWhole) + [hash(right)] }
    return part(from, right, false) + [hash(left)]
  }

  /// The result of `audit.prove`.
  func proofResult(_ index: Int, size: Int, leaf: String) -> JSONValue {
    let hashes = path(index, 0..<size).map { JSONValue.string(Base64.encoded($0)) }
    return ["index": .number("\(index)"), "leaf": .string(leaf), "path": .array(hashes)]
  }

  /// The result of `audit.head` when the tree had this size.
  func headResult(_ size: Int, time: String = "2026-11-29T02:33:10.139707Z") -> JSONValue {
    var key = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
    var secret = [UInt8](repeating: 0, count: 64)
    crypto_sign_ed25519_seed_keypair(&key, &secret, [UInt8](repeating: seed, count: 32))
    let root = Base64.encoded(hash(0..<size))
    let signed = Array("{\"root\":\"\(root)\",\"size\":\(size),\"time\":\"\(time)\"}".utf8)
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_BYTES))
    crypto_sign_ed25519_detached(&signature, nil, signed, UInt64(signed.count), secret)
    return [
      "size": .number("\(size)"), "root": .string(root), "time": .string(time),
      "key": .string(Base64.encoded(key)), "signature": .string(Base64.encoded(signature)),
    ]
  }

  /// Lines of a file of heads.
  func lines(_ sizes: Int...) -> [HeadsFile.Line] {
    HeadsFile(Array(sizes.map { headResult($0).text + "\n" }.joined().utf8)).heads
  }

  // MARK: AuditSource

  func head() throws(AuditFailure) -> AuditHead {
    for row in later { add(row) }
    later = []
    guard let head = AuditHead(headResult(leaves.count)) else { throw .unexpected(method: "audit.head") }
    return head
  }

  func requestEntries(after number: Int, limit: Int) throws(AuditFailure) { request = (number, limit) }

  func receiveEntries() throws(AuditFailure) -> [UInt8] {
    guard let (after, limit) = request else { throw .noAnswer(.timedOut(seconds: 1)) }
    request = nil
    let first = rows.firstIndex { $0.number > after } ?? rows.count
    let page = rows[first..<min(first + limit, rows.count)]
    let next = page.endIndex < rows.count ? page.last.map { ",\"next\":\($0.number)" } ?? "" : ""
    return Array("{\"id\":1,\"result\":{\"events\":[\(page.map(\.text).joined(separator: ","))]\(next)}}".utf8)
  }

  func proof(of entry: Int, size: Int) throws(AuditFailure) -> InclusionProof? {
    proofs += 1
    guard let index = places[entry], index < size else { return nil }
    let leaf = rows.first { $0.number == entry }?.leaf ?? ""
    return InclusionProof(proofResult(index, size: size, leaf: leaf), size: size)
  }
}
