package import WireFormats

/// An entry as JSON. `events.list` and the leaf of the audit's tree have the same members, so both are made from this list.
extension AuditEntry {
  /// The members of an entry, in the order in which callers get them.
  package enum Member: String, CaseIterable, Sendable {
    case event, time, entry, account, invitation, terms, added, removed, email, uid, pid, origin, door, regd
    case commitment, salt

    /// Whether the member may identify a person. It is then erased some time later, and is not part of the leaf. The leaf has
    /// the commitment instead.
    package var isErasable: Bool { self == .email || self == .origin || self == .salt }

    /// Whether only readers of the audit get the member, and no subscribers to events.
    package var isOfTree: Bool { self == .commitment || self == .salt }

    /// The members of the leaf, in the order of their names.
    fileprivate static let ofLeaf = allCases.filter { !$0.isErasable }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The value of a member, or nil if the entry does not have the member.
  ///
  /// - Parameter commitment: The entry's commitment, for the member of that name.
  package func value(of member: Member, commitment: [UInt8]? = nil) -> CanonicalJSON.Value? {
    switch member {
    case .event: .text(change.rawValue)
    case .time: .text(time.rfc3339)
    case .entry: .number(number)
    case .account: account.map { .text($0.description) }
    case .invitation: invitation.map { .text($0.description) }
    case .terms: terms.map { .text($0) }
    case .added: groups.map { .texts($0.added.map(\.description)) }
    case .removed: groups.map { .texts($0.removed.map(\.description)) }
    case .email: email.map { .text($0) }
    case .uid: by.map { .number(Int($0.uid)) }
    case .pid: by.map { .number(Int($0.pid)) }
    case .origin: by?.origin.map { .text($0.text) }
    case .door: by?.door.map { .text($0) }
    case .regd: regd.map { .text($0) }
    case .commitment: commitment.map { .text(Base64.encoded($0)) }
    case .salt: seal?.salt.map { .text(Base64.encoded($0)) }
    }
  }

  /// The commitment to the members `email` and `origin`, or nil for an entry that never had one of them.
  package func commitment(_ cryptography: any AuditCryptography) -> [UInt8]? {
    switch seal {
    case nil: nil
    case .commitment(let commitment): commitment
    case .salt(let salt): AuditSeal.digest(salt, email: email, origin: by?.origin?.text, cryptography)
    }
  }

  /// The bytes of the entry's leaf in the audit's tree. They remain the same when the address is erased.
  package func leaf(_ cryptography: any AuditCryptography) -> [UInt8] {
    let commitment = commitment(cryptography)
    return CanonicalJSON.object(
      Member.ofLeaf.compactMap { member in value(of: member, commitment: commitment).map { (member.rawValue, $0) } })
  }
}
