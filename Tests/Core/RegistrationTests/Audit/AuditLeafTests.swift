import PasswordHashing
import TestDoubles
import Testing
import WireFormats

@testable import Registration

@Suite("Audit leaves")
struct AuditLeafTests {
  private let cryptography = SodiumAuditCryptography()
  private let account = "01a2231d-5ffd-72db-b98e-92ff279a7c04"

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func entry(
    _ change: AuditEntry.Change = .registered, account: String? = nil, email: String? = nil, origin: String? = nil,
    seal: AuditSeal? = nil
  ) -> AuditEntry {
    AuditEntry(
      number: 7, change: change, account: account.flatMap { AccountID($0) }, email: email,
      stamp: Stamp(
        Fixtures.time, by: Requester(uid: 33, pid: 4711, origin: origin.flatMap { Origin($0) }, door: "imap")),
      regd: "host:/run/regd.sock", seal: seal)
  }

  @Test("the leaf has all members of the entry in the order of their names, and the commitment instead of the address")
  func members() throws {
    let salt = [UInt8](repeating: 7, count: 32)
    let sealed = entry(account: account, email: "Ann@example.com", origin: "192.0.2.1", seal: .salt(salt))
    let commitment = cryptography.digest(
      salt + Array("{\"email\":\"Ann@example.com\",\"origin\":\"192.0.2.1\"}".utf8))
    #expect(sealed.commitment(cryptography) == commitment)
    let encoded = try #require(sealed.value(of: .commitment, commitment: commitment))
    guard case .text(let base64) = encoded else { throw Unexpected() }
    #expect(
      text(sealed.leaf(cryptography)) == """
        {"account":"\(account)","commitment":"\(base64)","door":"imap","entry":7,"event":"account.registered",\
        "pid":4711,"regd":"host:/run/regd.sock","time":"2026-11-21T10:57:00.000000Z","uid":33}
        """)
  }

  @Test("the commitment covers only members that the entry has")
  func parts() {
    let salt = [UInt8](repeating: 1, count: 32)
    let digest = { (text: String) in self.cryptography.digest(salt + Array(text.utf8)) }
    #expect(entry(email: "a", seal: .salt(salt)).commitment(cryptography) == digest("{\"email\":\"a\"}"))
    #expect(entry(origin: "o", seal: .salt(salt)).commitment(cryptography) == digest("{\"origin\":\"o\"}"))
    #expect(entry().commitment(cryptography) == nil)
    #expect(!text(entry().leaf(cryptography)).contains("commitment"))
  }

  @Test("the leaf remains the same when the address is erased, and the salt is gone")
  func erasure() {
    var entry = entry(account: account, email: "Ann@example.com", origin: "192.0.2.1", seal: .random())
    let leaf = entry.leaf(cryptography)
    entry.eraseAddress(cryptography)
    #expect(entry.seal?.salt == nil)
    #expect(entry.email == nil)
    #expect(entry.by?.origin == nil)
    #expect(entry.leaf(cryptography) == leaf)
    entry.eraseAddress(cryptography)
    #expect(entry.leaf(cryptography) == leaf)
  }

  @Test("an entry without an address and an origin gets no seal, and two entries get different salts")
  func seals() {
    let invitation = InvitationID(at: Fixtures.time)
    #expect(AuditEntry.Draft(.invitationCreated, invitation, Stamp(Fixtures.time)).newSeal() == nil)
    let byOrigin = Stamp(Fixtures.time, by: Requester(uid: 1, pid: 1, origin: Origin("o")))
    #expect(AuditEntry.Draft(.invitationCreated, invitation, byOrigin).newSeal()?.salt?.count == 32)
    let draft = AuditEntry.Draft(.registered, Fixtures.account().account, Stamp(Fixtures.time))
    #expect(draft.newSeal() != draft.newSeal())
  }

  private struct Unexpected: Error {}
}
