import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Counts of mails in SQLite", .timeLimit(.minutes(10)))
struct MailCountTests {
  @Test("mails counted by a fast clock limit new mails for at most an hour after the clock is right again")
  func clockAhead() async throws {
    try await withTemporaryDirectory { directory in
      try await StoreConformance.expectCountsSetBack(try SQLiteStore(path: "\(directory)/regd.db").accounts)
    }
  }

  @Test("past the maximum number of counted mails a sweep removes the oldest counts and keeps the latest")
  func bounded() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      for number in 0..<MailBounds.perAddress {
        let claim = ClaimScene.claim(.recovery, at: number)
        _ = try await store.add(claim, ClaimScene.mail(claim), ClaimScene.stamp(number))
      }
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      func count() throws -> Int { try connection.integer("SELECT count(*) FROM mail_ask") }
      #expect(try count() == MailBounds.perAddress)
      // as if a million other mails had been counted since the first five
      try connection.execute("UPDATE mail_ask SET number = number + \(MailBounds.counted) WHERE number > 5")
      let time = ClaimScene.time(20)
      #expect(try await !store.sweep(at: time, addressesBefore: ClaimScene.time(0), limit: 100))
      #expect(try count() == MailBounds.perAddress - 5)
    }
  }

  @Test("a mail counter depends on the address, the requester and the installation's key")
  func hashed() throws {
    let claim = ClaimScene.claim(origin: "203.0.113.9")
    let (key, other) = (CodeKey.random(), CodeKey.random())
    let mail = ClaimScene.mail(claim)
    let counter = MailCounter(mail, key)
    #expect(counter == MailCounter(ClaimScene.mail(ClaimScene.claim(.recovery, origin: "203.0.113.9")), key))
    #expect(MailCounter(mail, other).address != counter.address && MailCounter(mail, other).share != counter.share)
    for (email, uid, origin) in [(ClaimScene.address, UInt32(8), "203.0.113.9"), (ClaimScene.address, 7, "")] {
      let mail = ClaimScene.mail(ClaimScene.claim(.registration, email, uid: uid, origin: origin))
      #expect(MailCounter(mail, key).address == counter.address)
      #expect(MailCounter(mail, key).share != counter.share)
    }
    let elsewhere = ClaimScene.mail(ClaimScene.claim(.registration, "other@example.com", origin: "203.0.113.9"))
    #expect(MailCounter(elsewhere, key).address != counter.address)
    #expect(MailCounter(elsewhere, key).share == counter.share)
  }
}
