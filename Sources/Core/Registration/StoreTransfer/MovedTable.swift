/// A table that a move copies from one store to another. Both stores name it by its raw value, and have its `columns`. SQLite has
/// the leaves of audit entries in a separate table.
///
/// A move copies values as texts and does not decode them, so that even a row that regd cannot read arrives unchanged.
package enum MovedTable: String, CaseIterable, Sendable {
  case account, request, delivery, released, claim, mail, invitation, audit
  case invitationUse = "invitation_use"
  case mailAsk = "mail_ask"
  case wrongCode = "wrong_code"
  case auditAddress = "audit_address"

  package struct Column: Hashable, Sendable {
    package enum Kind: Sendable {
      /// Valid UTF-8 without NUL.
      case text
      /// Valid UTF-8, with NUL if the store allows it.
      case anyText
      case integer
      /// In the form of `AccountID.description`.
      case account
      /// In the form of `Timestamp.rfc3339`.
      case time
      /// Bytes, in hexadecimal digits.
      case bytes
    }

    package let name: String
    /// The form of the column's values as texts. A store may keep them in another type.
    package let kind: Kind

    fileprivate init(_ name: String, _ kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  /// The columns in the order of `MovedRow.values`. Those with bytes come last.
  package var columns: [Column] {
    switch self {
    case .account:
      [
        Column("id", .account), Column("email", .text), Column("email_key", .text), Column("password_hash", .text),
        Column("state", .text), Column("created_at", .time), Column("updated_at", .time), Column("confirmed_at", .time),
        Column("terms_version", .text), Column("terms_at", .time), Column("epoch", .text),
        Column("proven", .integer),
        Column("registrant_uid", .integer), Column("registrant_origin", .anyText),
        Column("registrant_language", .text), Column("group_names", .text), Column("display_name", .text),
      ]
    case .request:
      [
        Column("uid", .integer), Column("id", .text), Column("account_id", .account), Column("password_hash", .text),
      ]
    case .delivery:
      [
        Column("account_id", .account), Column("claimed_by", .text), Column("claimed_until", .time),
        Column("attempts", .integer), Column("failure", .text), Column("next_at", .time),
      ]
    case .released:
      [
        Column("number", .integer), Column("uid", .integer), Column("id", .text), Column("account_id", .account),
        Column("email", .text), Column("email_key", .text), Column("password_hash", .text),
        Column("released_at", .time),
      ]
    case .claim:
      [
        Column("id", .text), Column("kind", .text), Column("state", .text), Column("email", .text),
        Column("email_key", .text), Column("account_id", .account), Column("password_hash", .text),
        Column("uid", .integer), Column("origin", .anyText), Column("request_id", .text), Column("language", .text),
        Column("digits", .integer), Column("generation", .integer), Column("code_until", .time),
        Column("attempts", .integer), Column("resend_at", .time), Column("created_at", .time),
        Column("expires_at", .time), Column("mailed", .integer), Column("terms_version", .text),
        Column("terms_at", .time), Column("epoch", .text), Column("invitation_id", .account),
        Column("concealed", .integer), Column("display_name", .text),
      ]
    case .wrongCode:
      [
        Column("number", .integer), Column("address", .integer), Column("at", .time),
      ]
    case .mail:
      [
        Column("id", .account), Column("kind", .text), Column("state", .text), Column("email", .text),
        Column("email_key", .text), Column("claim_id", .text), Column("account_id", .account),
        Column("language", .text), Column("uid", .integer), Column("origin", .anyText), Column("created_at", .time),
        Column("attempts", .integer), Column("reason", .text), Column("next_at", .time), Column("leased_by", .text),
        Column("leased_until", .time), Column("wanted", .integer), Column("known", .integer),
        Column("invitation_id", .account),
      ]
    case .invitation:
      [
        Column("id", .account), Column("digest", .text), Column("email", .text), Column("email_key", .text),
        Column("domain", .text), Column("uses", .integer), Column("created_at", .time), Column("expires_at", .time),
        Column("revoked_at", .time), Column("note", .text), Column("uid", .integer), Column("mailed", .integer),
        Column("used_at", .time), Column("group_names", .text),
      ]
    case .invitationUse:
      [
        Column("invitation_id", .account), Column("slot", .integer), Column("claim_id", .text),
        Column("account_id", .account), Column("held_until", .time), Column("held_since", .time),
        Column("uid", .integer), Column("origin", .anyText),
      ]
    case .mailAsk:
      [
        Column("number", .integer), Column("address", .integer), Column("share", .integer), Column("part", .integer),
        Column("at", .time),
      ]
    case .auditAddress:
      [
        Column("number", .integer), Column("email", .text), Column("ended_at", .time), Column("salt", .bytes),
        Column("commitment", .bytes),
      ]
    case .audit:
      [
        Column("number", .integer), Column("at", .time), Column("change", .text), Column("account_id", .account),
        Column("uid", .integer), Column("pid", .integer), Column("origin", .anyText), Column("regd", .text),
        Column("invitation_id", .account), Column("terms", .text), Column("door", .text),
        Column("group_change", .text), Column("leaf", .integer), Column("hashes", .bytes),
      ]
    }
  }

  /// The column that contains the key (`MoveKey.text`) of the unit to which a row belongs.
  package var owner: String {
    switch self {
    case .account, .claim, .mail, .invitation: "id"
    case .request, .delivery: "account_id"
    case .invitationUse: "invitation_id"
    case .released, .mailAsk, .wrongCode, .auditAddress, .audit: "number"
    }
  }

  /// The columns of the table's unique constraint, other than one on `owner`. Empty if there is no such constraint. A
  /// target must remove an old row before it adds a new one with the same values.
  package var unique: [String] {
    switch self {
    case .account: ["email_key"]
    case .request: ["uid", "id"]
    case .released: ["uid", "id", "account_id"]
    case .claim: ["uid", "request_id"]
    case .invitation: ["digest"]
    case .delivery, .invitationUse, .mailAsk, .wrongCode, .mail, .auditAddress, .audit: []
    }
  }

  /// The index of a column in a row's values. The table must have the column.
  package func index(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? 0 }

  /// The table's position when the rows of a unit are sorted.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package var strand: MoveStrand {
    switch self {
    case .account, .request, .delivery: .accounts
    case .released: .released
    case .claim: .claims
    case .wrongCode: .wrongCodes
    case .mail: .mails
    case .invitation, .invitationUse: .invitations
    case .mailAsk: .mailAsks
    case .auditAddress: .auditAddresses
    case .audit: .audit
    }
  }
}

/// A kind of unit (`MovedUnit`). A move handles one strand after another, in the order of the cases, and the units of a
/// strand in the order of their keys.
package enum MoveStrand: String, CaseIterable, Sendable {
  /// Accounts, by their ids, each with all rows that belong to it.
  case accounts
  /// Released registrations, which the store remembers in case the upstream has them after all, by their numbers.
  case released
  /// Claims of addresses, by their ids.
  case claims
  /// Wrong codes, by their numbers.
  case wrongCodes
  /// Mails, by their ids.
  case mails
  /// Invitations, by their ids, each with all of its uses.
  case invitations
  /// Requests for mails, which count for `MailBounds`, by their numbers.
  case mailAsks
  /// The addresses of audit entries, by the entries' numbers. The store erases them after some time.
  case auditAddresses
  /// Audit entries, by their numbers. Entries are only added, never changed.
  case audit

  /// The tables that contain rows of the strand's units. The table to which the other tables refer comes first.
  package var tables: [MovedTable] { MovedTable.allCases.filter { $0.strand == self } }

  /// A key that precedes every unit's key.
  package var beginning: String { hasNumbers ? "0" : "" }

  package var next: MoveStrand? {
    let all = Self.allCases
    return all.firstIndex(of: self).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
  }

  var hasNumbers: Bool {
    switch self {
    case .accounts, .claims, .mails, .invitations: false
    case .released, .mailAsks, .wrongCodes, .auditAddresses, .audit: true
    }
  }

  /// Whether `one` precedes `other`, or equals it.
  func isOrdered(_ one: String, _ other: String) -> Bool {
    guard hasNumbers else { return !other.utf8.lexicographicallyPrecedes(one.utf8) }
    return (Int(one) ?? .max) <= (Int(other) ?? .max)
  }
}
