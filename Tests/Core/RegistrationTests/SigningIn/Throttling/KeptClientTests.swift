import TestDoubles
import Testing

@testable import Registration

@Suite("Known clients across a restart")
struct KeptClientTests {
  private static let day = 24 * 60 * 60.0
  private var door = ThrottledDoor()

  /// The throttle of the next process, which starts this many seconds later.
  private mutating func restart(after seconds: Double = 0) {
    let start = Fixtures.time
    let bytes = door.throttle.kept(at: door.now).bytes(at: start)
    let later = start.advanced(by: .milliseconds(Int64(seconds * 1000)))
    let origin = door.origin
    door = ThrottledDoor(seed: 9, keeping: KeptClients(bytes, at: later))
    door.origin = origin
  }

  /// Whether the client has guessed so often that it counts as a stranger.
  private mutating func isNews() -> Bool { door.throttle.isNews(door.attempt("right"), at: door.now) }

  /// Uses up the strangers' shared quota.
  private mutating func crowd() {
    for caller in 0..<120 as Range<UInt32> { _ = door.knockWrong("owner", 1000 + caller) }
  }

  @Test("after a restart the owner gets in from a known client despite strangers' guesses, but from no other client")
  mutating func strangers() throws {
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    restart(after: 3600)
    door.origin = nil
    crowd()
    door.origin = Origin("elsewhere")
    #expect(door.knock("right") != .right)
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
  }

  @Test("twenty guesses from the owner's own client do not lock the owner out after a restart")
  mutating func ownClient() throws {
    #expect(door.knock("right") == .right)
    restart()
    for _ in 0..<20 {
      _ = door.knockWrong()
      door.seconds += 1
    }
    #expect(door.knock("right") == .right)
    // from now on the correct password is known, and wrong passwords wait
    door.seconds += 1
    #expect(door.knockWrong() != .wrong)
    #expect(door.knock("right") == .right)
  }

  @Test("until the correct password is seen again, a kept client has a known client's guesses, then a stranger's")
  mutating func bound() throws {
    #expect(door.knock("right") == .right)
    restart()
    crowd()
    var compared = 0
    for _ in 0..<3000 {
      if door.knockWrong() == .wrong { compared += 1 }
      door.seconds += 1
    }
    #expect((900...1010).contains(compared), "\(compared)")
    #expect(isNews() == true)
  }

  @Test("guesses before a restart count after it, and a barred client stays barred")
  mutating func counts() throws {
    #expect(door.knock("right") == .right)
    for _ in 0..<900 { _ = door.knockWrong() }
    restart()
    var compared = 0
    for _ in 0..<200 {
      if door.knockWrong() == .wrong { compared += 1 }
      door.seconds += 1
    }
    #expect(compared < 120, "\(compared)")
    #expect(isNews() == true)
    restart()
    #expect(isNews() == true)
    crowd()
    #expect(door.knock("right") != .right)
  }

  @Test("a client is kept for a day after the owner's last sign-in there", arguments: [0.4, 0.6])
  mutating func age(_ days: Double) throws {
    #expect(door.knock("right") == .right)
    door.seconds += Self.day / 2
    restart(after: days * Self.day)
    #expect(door.throttle.counts[1] == (days < 0.5 ? 1 : 0))
    restart()
    #expect(door.throttle.counts[1] == (days < 0.5 ? 1 : 0))
  }

  @Test("a forgotten account is no longer kept, and the edition changes with every change worth keeping")
  mutating func forgotten() throws {
    let first = door.throttle.editionOfClients
    #expect(door.knock("right") == .right)
    let second = door.throttle.editionOfClients
    #expect(second > first)
    #expect(door.knock("right") == .right)
    #expect(door.throttle.editionOfClients == second)
    door.throttle.forget(account: "owner")
    #expect(door.throttle.editionOfClients > second)
    restart()
    #expect(door.throttle.counts[1] == 0)
  }

  // MARK: Additions to the file

  /// The number of known clients that a later process reads from a file.
  private func count(_ file: [UInt8]) -> Int? {
    KeptClients(file, at: Fixtures.time).map { ThrottledDoor(seed: 9, keeping: $0).throttle.counts[1] }
  }

  /// The file with all known clients.
  private mutating func file() -> [UInt8] { door.throttle.kept(at: door.now).bytes(at: Fixtures.time) }

  /// The bytes to add to the file, or nil if nothing has changed.
  private mutating func addition() -> [UInt8]? {
    door.throttle.takeChangesOfClients(at: door.now)?.block(at: Fixtures.time)
  }

  @Test("a client that was added to the file is known after a restart, and a cut addition loses only itself")
  mutating func added() throws {
    #expect(door.knock("right") == .right)
    let first = file()
    let nothing = addition()
    #expect(nothing == nil)
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    let block = addition()
    let bytes = try #require(block)
    for index in bytes.indices { #expect(count(first + bytes[..<index]) == 1) }
    #expect(count(first + bytes) == 2)
    // a further addition after a damaged one is not read
    var damaged = bytes
    damaged[20] ^= 1
    #expect(count(first + damaged + bytes) == 1)
    door = ThrottledDoor(seed: 9, keeping: KeptClients(first + bytes, at: Fixtures.time))
    crowd()
    door.origin = Origin("elsewhere")
    #expect(door.knock("right") != .right)
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
  }

  @Test("a client that is known already adds nothing to the file, until an hour has passed")
  mutating func repeated() throws {
    #expect(door.knock("right") == .right)
    let first = file()
    #expect(door.knock("right") == .right)
    let nothing = addition()
    #expect(nothing == nil)
    door.seconds += 3601
    #expect(door.knock("right") == .right)
    let block = addition()
    let bytes = first + (try #require(block))
    #expect(count(bytes) == 1)
  }

  @Test("an account whose clients were forgotten, and a barred client, are so after a restart by the addition alone")
  mutating func forgottenAndBarred() throws {
    #expect(door.knock("right") == .right)
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    let first = file()
    // Some count as repeats by chance.
    for _ in 0..<1020 { _ = door.knockWrong() }
    let barring = addition()
    door.throttle.forget(account: "owner")
    door.origin = Origin("new")
    #expect(door.knock("right") == .right)
    let forgetting = addition()
    var bytes = first + (try #require(barring))
    #expect(count(bytes) == 2)
    door = ThrottledDoor(seed: 9, keeping: KeptClients(bytes, at: Fixtures.time))
    door.origin = Origin("home")
    #expect(isNews() == true)
    bytes += try #require(forgetting)
    #expect(count(bytes) == 1)
    door = ThrottledDoor(seed: 9, keeping: KeptClients(bytes, at: Fixtures.time))
    crowd()
    door.origin = Origin("home")
    #expect(door.knock("right") != .right)
    door.origin = Origin("new")
    #expect(door.knock("right") == .right)
  }

  @Test("an added client replaces the account's least recently used one")
  mutating func full() throws {
    for number in 0..<KnownClients.perAccount {
      door.origin = Origin("origin \(number)")
      #expect(door.knock("right") == .right)
    }
    let first = file()
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    let block = addition()
    let bytes = first + (try #require(block))
    #expect(count(bytes) == KnownClients.perAccount)
    door = ThrottledDoor(seed: 9, keeping: KeptClients(bytes, at: Fixtures.time))
    crowd()
    door.origin = Origin("origin 0")
    #expect(door.knock("right") != .right)
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
  }

  @Test("an added client does not replace a client that the owner has used since the file was written")
  mutating func usedAgain() throws {
    for number in 0..<KnownClients.perAccount {
      door.origin = Origin("origin \(number)")
      #expect(door.knock("right") == .right)
    }
    let first = file()
    // too soon to be worth an addition, but now another client is the least recently used one
    door.seconds += 600
    door.origin = Origin("origin 0")
    #expect(door.knock("right") == .right)
    door.origin = Origin("new")
    #expect(door.knock("right") == .right)
    let block = addition()
    let bytes = first + (try #require(block))
    #expect(count(bytes) == KnownClients.perAccount)
    door = ThrottledDoor(seed: 9, keeping: KeptClients(bytes, at: Fixtures.time))
    crowd()
    door.origin = Origin("origin 1")
    #expect(door.knock("right") != .right)
    for name in ["origin 0", "new"] {
      door.origin = Origin(name)
      #expect(door.knock("right") == .right)
    }
  }

  @Test("a client of an earlier account with the same address is unknown after a restart by the addition alone")
  mutating func otherAccount() throws {
    let (earlier, present) = (AccountID(words: (0, 1)), AccountID(words: (0, 2)))
    let right = door.attempt("right")
    door.throttle.remember(right, of: earlier, at: door.now)
    var bytes = file()
    door.throttle.remember(right, of: earlier, at: door.now)
    let nothing = addition()
    #expect(nothing == nil)
    // the address has another account now, whose owner signs in from the same client
    door.throttle.remember(right, of: present, at: door.now)
    let signedIn = addition()
    bytes += try #require(signedIn)
    #expect(count(bytes) == 1)
    // a wrong password shows that the client belonged to an earlier account
    let password = door.fresh()
    let wrong = door.attempt(password)
    #expect(door.admit(wrong) == .go)
    _ = door.throttle.ended(wrong, .wrong, of: earlier, at: door.now)
    let gone = addition()
    bytes += try #require(gone)
    #expect(count(bytes) == 0)
  }

  @Test("wrong passwords from a known client change the edition without an addition, and a stranger's do not")
  mutating func countedGuesses() throws {
    #expect(door.knock("right") == .right)
    _ = file()
    let first = door.throttle.editionOfClients
    #expect(door.knockWrong("owner", 2) == .wrong)
    #expect(door.throttle.editionOfClients == first)
    #expect(door.knockWrong() == .wrong)
    #expect(door.throttle.editionOfClients > first)
    let nothing = addition()
    #expect(nothing == nil)
  }

  @Test("a file that an earlier version has written is read")
  mutating func earlierVersion() throws {
    #expect(door.knock("right") == .right)
    let bytes = file()
    // that version wrote neither the number of clients nor a checksum with the key
    let (key, number, sum) = (15..<31, 31..<35, bytes.count - 8)
    let content = bytes[key] + bytes[number.upperBound..<sum]
    let checksum = content.withUnsafeBytes { SipHash(key: (0, 0)).hash($0) }
    let earlier = Array("regd-clients-1\n".utf8) + content + withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
    #expect(count(earlier) == 1)
    #expect(count(Array(earlier.dropLast())) == nil)
    var changed = earlier
    changed[40] ^= 1
    #expect(count(changed) == nil)
  }

  @Test("a file with an impossible time or count does not end regd, even if its checksum fits")
  mutating func impossible() throws {
    #expect(door.knock("right") == .right)
    let (bytes, key) = (file(), door.throttle.attempts.keyOfClients)
    func changed(_ range: Range<Int>, to content: [UInt8]) -> [UInt8] {
      var block = bytes
      block.replaceSubrange(range, with: content)
      block.removeLast(8)
      let sum = block[31...].withUnsafeBytes { SipHash(key: key).hash($0) }
      return block + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
    }
    // the time follows the number of clients, and the count of wrong passwords is near the end of a client
    let (time, wrong) = (35..<43, 89..<91)
    #expect(count(changed(time, to: Array(bytes[time]))) == 1)
    #expect(count(changed(time, to: [0, 0, 0, 0, 0, 0, 0, 0x80])) == 0)
    #expect(count(changed(time, to: [UInt8](repeating: 0xFF, count: 7) + [0x7F])) == 1)
    let kept = KeptClients(changed(wrong, to: [0xFF, 0xFF]), at: Fixtures.time)
    #expect(kept?.changes.count == 1)
    let origin = door.origin
    door = ThrottledDoor(seed: 9, keeping: kept)
    door.origin = origin
    _ = door.knockWrong()
    // one more wrong password than a client may have
    #expect(isNews() == true)
  }

  @Test("damaged bytes are not read, and the bytes reveal nothing about the password")
  mutating func damaged() throws {
    #expect(door.knock("right") == .right)
    let bytes = door.throttle.kept(at: door.now).bytes(at: Fixtures.time)
    #expect(count(bytes) == 1)
    for index in bytes.indices {
      #expect(KeptClients(Array(bytes[..<index]), at: Fixtures.time) == nil)
      var changed = bytes
      changed[index] ^= 1
      #expect(KeptClients(changed, at: Fixtures.time) == nil)
    }
    // another correct password gives the same bytes
    var other = ThrottledDoor()
    other.passwords["owner"] = "another"
    #expect(other.knock("another") == .right)
    let others = other.throttle.kept(at: other.now).bytes(at: Fixtures.time)
    #expect(others == bytes)
  }
}
