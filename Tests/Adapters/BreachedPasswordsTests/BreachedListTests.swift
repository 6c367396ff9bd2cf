import BreachedPasswords
import Glibc
import Registration
import Testing

@Suite("Breached list")
struct BreachedListTests {
  private func failure(_ path: String) -> BreachedListFailure? {
    do throws(BreachedListFailure) {
      _ = try BreachedList(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test("a list that is missing or not a file is reported at once, without waiting for a writer")
  func noFile() throws {
    let scratch = try Scratch()
    let missing = "\(scratch.path)/missing"
    #expect(failure(missing) == .cannotOpen(path: missing, errorNumber: ENOENT))
    #expect("\(try #require(failure(missing)))".contains("\(missing) cannot be opened: No such file or directory"))
    #expect(failure(scratch.path) == .notAFile(path: scratch.path))
    #expect(mkfifo(scratch.list, 0o600) == 0)
    #expect(failure(scratch.list) == .notAFile(path: scratch.list))
  }

  @Test(
    "BreachedList refuses a file of another kind",
    arguments: ["", "regdbrc", "x", "regdbrcx and so on", String(repeating: "0", count: 9000)])
  func anotherFile(_ text: String) throws {
    let scratch = try Scratch()
    let path = try scratch.write(Array(text.utf8), to: "list")
    #expect(failure(path) == .notAList(path: path))
  }

  @Test("the error for a list that is cut off or too long contains its size")
  func wrongSize() throws {
    let scratch = try Scratch()
    try scratch.build("\(abc):1\n")
    let whole = try scratch.read("list")
    #expect(whole.count == 8192)
    for count in [8, 100, 4095] {
      try scratch.write(Array(whole[..<count]), to: "list")
      #expect(failure(scratch.list) == .cutOff(path: scratch.list, at: count, of: nil))
    }
    for count in [4096, 8191] {
      try scratch.write(Array(whole[..<count]), to: "list")
      #expect(failure(scratch.list) == .cutOff(path: scratch.list, at: count, of: 8192))
      #expect("\(try #require(failure(scratch.list)))".contains("truncated at \(count) of 8192 bytes"))
    }
    try scratch.write(whole + [0], to: "list")
    #expect(failure(scratch.list) == .tooLong(path: scratch.list, count: 8193, expected: 8192))
  }

  @Test("a header with a changed byte is reported as damaged")
  func damagedHeader() throws {
    let scratch = try Scratch()
    try scratch.build("\(abc):1\n")
    let whole = try scratch.read("list")
    for position in [8, 12, 16, 24, 32, 40, 48, 4075, 4076, 4095] {
      var bytes = whole
      bytes[position] ^= 1
      try scratch.write(bytes, to: "list")
      #expect(failure(scratch.list) == .damagedHeader(path: scratch.list), "byte \(position)")
    }
  }

  @Test("a newer version is reported as such, even if its checksum does not match")
  func newerVersion() throws {
    let scratch = try Scratch()
    try scratch.build("\(abc):1\n")
    var bytes = try scratch.read("list")
    bytes[8] = 2
    try scratch.write(bytes, to: "list")
    #expect(failure(scratch.list) == .newerVersion(path: scratch.list, version: 2))
  }

  @Test("the measured false-positive rate reveals damaged bits")
  func damagedBits() throws {
    let scratch = try Scratch()
    try scratch.build(lines(1000))
    #expect(try measured(scratch) == BreachedList(path: scratch.list).falsePositiveRate)
    var bytes = try scratch.read("list")
    bytes[5000] ^= 1
    try scratch.write(bytes, to: "list")
    #expect(try measured(scratch) != BreachedList(path: scratch.list).falsePositiveRate)
  }

  private func measured(_ scratch: Scratch) throws -> Double {
    try BreachedList(path: scratch.list).measuredFalsePositiveRate()
  }

  @Test("a list contains its entries and no other passwords")
  func contains() throws {
    let scratch = try Scratch()
    try scratch.build("\(abc):1\r\n\(sha1OfPassword)\n\(empty):3")
    let list = try BreachedList(path: scratch.list)
    for text in ["Abc", "abc ", "abcd", "passwort", "a"] { #expect(!list.contains(password(text)), "\(text)") }
    for text in ["abc", "password", ""] { #expect(list.contains(password(text)), "\(text)") }
    #expect(list.entries == 3)
    #expect(list.byteCount == 8192)
    #expect(list.createdAt == Timestamp(microseconds: 1_700_000_000_123_456))
  }

  @Test("a process with an open list continues to use that list after the file is replaced")
  func replaced() throws {
    let scratch = try Scratch()
    try scratch.build("\(abc):1\n")
    let before = try BreachedList(path: scratch.list)
    try scratch.build("\(sha1OfPassword):1\n")
    let after = try BreachedList(path: scratch.list)
    #expect(before.contains(password("abc")) && !before.contains(password("password")))
    #expect(!after.contains(password("abc")) && after.contains(password("password")))
  }

  @Test("other passwords match at the false-positive rate that the file states", arguments: [0.05, 0.01])
  func statedRate(_ rate: Double) throws {
    let scratch = try Scratch()
    let summary = try scratch.build(lines(50_000)) {
      $0.falsePositiveRate = rate
      $0.entries = 50_000
    }
    let list = try BreachedList(path: scratch.list)
    #expect(list.falsePositiveRate == summary.falsePositiveRate)
    #expect((rate * 0.8...rate * 1.2).contains(list.falsePositiveRate))
    // the passwords are always the same: 200,000 of them give 2000 or more hits, which vary by about 2 %
    let hits = (0..<200_000).count { list.contains(password("nobody has \($0)")) }
    #expect((0.9...1.1).contains(Double(hits) / 200_000 / list.falsePositiveRate))
  }
}
