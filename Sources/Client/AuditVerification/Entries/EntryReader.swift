internal import JSONRPC
internal import WireFormats

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
