internal import JSONRPC
internal import RegdClient
internal import WireFormats

/// Reads the entries of an audit, page by page. While one page is hashed, regd reads the next one.
final class EntryPages {
  private let source: any AuditSource
  private let reader = EntryReader()

  /// The most entries of one page, which is also the most that regd returns.
  private static let pageSize = 1000

  init(_ source: any AuditSource) { self.source = source }

  /// Reads the entries after the one with the number `after`, in their order.
  ///
  /// - Parameters:
  ///   - most: The most entries to read, or nil for all.
  ///   - visit: Gets each entry.
  func forEach(
    after: Int, atMost most: Int? = nil, _ visit: (HashedEntry) throws(AuditFailure) -> Void
  ) throws(AuditFailure) {
    var left = most ?? .max
    guard left > 0 else { return }
    try request(after, left)
    var goesOn = true
    while goesOn {
      let text = try source.receiveEntries()
      var tape = JSONTape()
      let page = text.withUnsafeBytes { bytes in
        try? JSONDocument.read(bytes, tape: &tape) { root in visitPage(root, &left, visit) }
      }
      guard let page else { throw .noAnswer(.notAReply(String(decoding: text.prefix(200), as: UTF8.self))) }
      switch page {
      case .success(let next): goesOn = next != nil
      case .failure(.unexpected(let method)):
        // an error of regd is not a page of entries
        _ = try AuditFailure.result(in: text)
        throw .unexpected(method: method)
      case .failure(let failure): throw failure
      }
    }
  }

  private func request(_ after: Int, _ left: Int) throws(AuditFailure) {
    try source.requestEntries(after: after, limit: min(left, Self.pageSize))
  }

  /// Asks for the next page, and then visits the entries of this one.
  ///
  /// - Returns: The number after which the next page begins, or nil if there is none.
  private func visitPage(
    _ root: JSONView, _ left: inout Int, _ visit: (HashedEntry) throws(AuditFailure) -> Void
  ) -> Result<Int?, AuditFailure> {
    guard let result = root.member("result"), let events = result.member("events"), events.kind == .array else {
      return .failure(.unexpected(method: "events.list"))
    }
    events.forEachElement { _ in left -= 1 }
    let next = left > 0 ? result.member("next")?.integer.map { Int($0) } : nil
    var failure: AuditFailure?
    do throws(AuditFailure) {
      if let next { try request(next, left) }
    } catch { failure = error }
    events.forEachElement { event in
      guard failure == nil else { return }
      do throws(AuditFailure) {
        guard let entry = reader.read(event) else { throw AuditFailure.unexpected(method: "events.list") }
        try visit(entry)
      } catch { failure = error }
    }
    if let failure { return .failure(failure) }
    return .success(next)
  }
}

/// An entry of the audit, as far as the tree needs it.
struct HashedEntry {
  let number: Int
  let leaf: AuditHash
  /// Whether the address and the origin have the hash to which the leaf commits. True if there are neither, or if this
  /// caller may not see them.
  let fitsCommitment: Bool
}

/// Reads entries of `events.list`. It keeps its memory, because a verification reads millions of them.
final class EntryReader {
  private var text = JSONWriter()
  private var members: [CanonicalJSON.Member] = []
  /// The members that are not part of the leaf, because they are erased some time later.
  private var erasable: [CanonicalJSON.Member] = []

  /// Returns nil if the value is not an entry.
  func read(_ event: JSONView) -> HashedEntry? {
    members.removeAll(keepingCapacity: true)
    erasable.removeAll(keepingCapacity: true)
    var entry: JSONView?
    var salt: JSONView?
    var commitment: JSONView?
    event.forEachMember { name, value in
      let member = CanonicalJSON.Member(name: name, value: value)
      if name.isString("salt") {
        salt = value
      } else if name.isString("email") || name.isString("origin") {
        erasable.append(member)
      } else {
        if name.isString("entry") { entry = value } else if name.isString("commitment") { commitment = value }
        members.append(member)
      }
    }
    guard let number = entry?.integer, let leaf = hash([0], &members) else { return nil }
    return HashedEntry(number: Int(number), leaf: leaf, fitsCommitment: fits(commitment, salt))
  }

  /// The hash of some bytes and of the object with these members, or nil if the object has no canonical form.
  private func hash(_ prefix: [UInt8], _ members: inout [CanonicalJSON.Member]) -> AuditHash? {
    text.truncate(to: 0)
    prefix.withUnsafeBytes { text.append($0) }
    return CanonicalJSON.append(&members, to: &text) ? AuditHash(of: text.written) : nil
  }

  private func fits(_ commitment: JSONView?, _ salt: JSONView?) -> Bool {
    if erasable.isEmpty, salt == nil { return true }
    guard let commitment = commitment?.plainUTF8.flatMap({ AuditHash(base64: $0) }),
      let salt = salt?.plainUTF8.flatMap({ Base64.decoded($0) }), salt.count == AuditHash.byteCount
    else { return false }
    return hash(salt, &erasable) == commitment
  }
}
