import Registration
import Testing

@testable import AccountImport

/// Accounts that the other system has locked, disabled or let expire. They are imported as disabled, also without a
/// password.
@Suite("Disabled accounts", .timeLimit(.minutes(5)))
struct SwitchedOffTests {
  private static let crypt =
    "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1"
  private static let salted = "dGVzdHRlc3R0ZXN0dGVzdHRlc3RzYWx0c2FsdA=="

  /// The state and the hash family of the only record, or the reason if it is refused.
  private func found(_ system: ForeignSystem, _ text: String, withoutPasswords: Bool = false) throws -> String {
    var reading = Reading(system)
    reading.options.withoutPasswords = withoutPasswords
    let records = try reading.records(Array(text.utf8))
    #expect(records.count == 1)
    switch records.first?.record {
    case .account(let account):
      return "\(account.state.rawValue) \(HashFamily.name(account.passwordHash) ?? account.passwordHash)"
    case .refused(let refusal, _): return refusal.reason
    case .passedOver, nil: return "passed over"
    }
  }

  @Test(
    "a lock mark is valid before and after a hash's scheme, and the hash is imported without the mark",
    arguments: [
      ("{CRYPT}\(crypt)", "active sha512-crypt"), ("{CRYPT}!\(crypt)", "disabled sha512-crypt"),
      ("{crypt}!!\(crypt)", "disabled sha512-crypt"), ("!{CRYPT}\(crypt)", "disabled sha512-crypt"),
      ("!{CRYPT}!\(crypt)", "disabled sha512-crypt"), ("{CRYPT}*LK*\(crypt)", "disabled sha512-crypt"),
      ("{SSHA}\(salted)", "active salted SHA-1"), ("{SSHA}!\(salted)", "disabled salted SHA-1"),
    ])
  func marks(_ field: String, _ expected: String) throws {
    #expect(try found(.ldif, "dn: a\nmail: a@example.org\nuserPassword: \(field)\n") == expected)
    #expect(try found(.passwd, "a@example.org:\(field)\n") == expected)
  }

  @Test(
    "a lock mark alone is not a password, and becomes a disabled account with --no-password",
    arguments: ["{CRYPT}!!", "{CRYPT}*", "{CRYPT}!", "{CRYPT}*LK*", "!{CRYPT}", "!!", "*LK*"])
  func marksAlone(_ field: String) throws {
    let entry = "dn: a\nmail: a@example.org\nuserPassword: \(field)\n"
    let line = "a@example.org:\(field)\n"
    for (system, text) in [(ForeignSystem.ldif, entry), (.passwd, line)] {
      #expect(try found(system, text) == "hash.missing", "\(system)")
      #expect(try found(system, text, withoutPasswords: true) == "disabled *", "\(system)")
    }
  }

  @Test("a clear-text password may begin with a lock mark, and an entry with an unlocked hash is not locked")
  func notMarks() throws {
    for text in ["!hunter2", "*hunter2", "{CLEAR}!hunter2", "{cleartext}*hunter2"] {
      let entry = "dn: a\nmail: a@example.org\nuserPassword: \(text)\n"
      #expect(try found(.ldif, entry, withoutPasswords: true).hasPrefix("active "), "\(text)")
    }
    #expect(try found(.passwd, "a@example.org:{PLAIN}!hunter2\n").hasPrefix("active "))
    let two = "dn: a\nmail: a@example.org\nuserPassword: {CRYPT}!\(Self.crypt)\nuserPassword: {SSHA}\(Self.salted)\n"
    #expect(try found(.ldif, two, withoutPasswords: true) == "active *")
  }

  @Test(
    "a directory's password policies and roles disable an account",
    arguments: [
      ("pwdEndTime: 20200101000000Z", "disabled salted SHA-1"), ("pwdEndTime: 20990101000000Z", "active salted SHA-1"),
      ("pwdStartTime: 20990101000000Z", "disabled salted SHA-1"),
      ("pwdStartTime: 20200101000000Z", "active salted SHA-1"), ("pwdEndTime: soon", "record.invalid"),
      ("pwdStartTime: soon", "record.invalid"), ("krbPrincipalExpiration: 20200101000000Z", "disabled salted SHA-1"),
      ("nsRoleDN: cn=nsManagedDisabledRole,dc=example,dc=org", "disabled salted SHA-1"),
      ("nsroledn: CN = nsManagedDisabledRole, dc=example,dc=org", "disabled salted SHA-1"),
      ("nsRoleDN: cn=staff,dc=example,dc=org", "active salted SHA-1"),
    ])
  func directories(_ attribute: String, _ expected: String) throws {
    let entry = "dn: a\nmail: a@example.org\nuserPassword: {SSHA}\(Self.salted)\n\(attribute)\n"
    #expect(try found(.ldif, entry) == expected)
  }
}
