import Registration
import Testing

@testable import AccountImport

/// Rows that `regctl export --to csv` writes for accounts that wait, have no password or have accepted terms.
@Suite("regd's own rows")
struct OwnRowsTests {
  @Test(
    "regd's own rows can contain a waiting account, no password and accepted terms",
    arguments: [
      ("$2b$04$x,waiting,,,,", "waiting, a hash, -"), ("*,active,,,,", "active, no hash, -"),
      ("*,disabled,,,,", "disabled, no hash, -"), ("*,waiting,,,,", "hash.missing"), ("*,pending,,,,", "hash.missing"),
      ("*,active,,,2026-11,2026-11-21T10:57:00Z", "active, no hash, 2026-11 2026-11-21T10:57:00Z"),
      ("*,active,,,,2026-11-21T10:57:00Z", "active, no hash, -"), ("*,active,,,2026-11,", "record.invalid"),
      ("*,active,,,2026-11,yesterday", "record.invalid"),
    ])
  func ownRows(_ row: String, _ expected: String) throws {
    let head = "email,password_hash,state,created_at,id,terms_version,terms_accepted_at\n"
    let said = try Reading(.csv).records(Array("\(head)a@b.cc,\(row)\n".utf8)).map { record, _ in
      switch record {
      case .passedOver: return "passed over"
      case .refused(let refusal, _): return refusal.reason
      case .account(let account):
        let terms = account.terms.map { "\($0.version) \($0.acceptedAt.rfc3339.prefix(19))Z" } ?? "-"
        return "\(account.state.rawValue), \(account.passwordHash == "*" ? "no hash" : "a hash"), \(terms)"
      }
    }
    #expect(said == [expected])
  }

  @Test("the * for no password in regd's own rows is a missing hash in other systems' exports")
  func star() throws {
    let django = #"{"model":"auth.user","pk":1,"fields":{"email":"a@b.cc","password":"*","is_active":true}}"#
    #expect(try Reading(.django).lines(Array("\(django)\n".utf8)) == ["1 hash.missing a@b.cc"])
  }
}
