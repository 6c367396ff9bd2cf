import Glibc
import Localization
import Testing

@testable import BreachedPasswords

@Suite("Lines of a list")
struct HashLineTests {
  private func parse(_ text: String) -> (hash: EntryHash, count: UInt64?, length: Int)? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress, let line = HashLine(at: start, before: start + bytes.count) else {
        return nil
      }
      return (line.hash, line.count, line.end - start)
    }
  }

  private func reason(_ text: String) -> String {
    Array(text.utf8).withUnsafeBufferPointer { LineProblem.reason(for: $0).english }
  }

  @Test("HashLine detects any character that is not a digit, at every position")
  func noDigit() {
    for place in 0..<40 {
      for character in UInt8.min...UInt8.max where character != UInt8(ascii: "\n") {
        var line = Array("\(abc):1\n".utf8)
        line[place] = character
        let isDigit = "0123456789ABCDEFabcdef".utf8.contains(character)
        let parsed = line.withUnsafeBufferPointer { HashLine(at: $0.baseAddress!, before: $0.baseAddress! + $0.count) }
        #expect((parsed != nil) == isDigit, "\(character) at \(place)")
      }
    }
  }

  @Test(
    "HashLine refuses an invalid line",
    arguments: [
      "", "\n", "\(abc)", "\(abc):1", "\(abc)\r", "\(abc):\n", "\(abc):x\n", "\(abc):1x\n", "\(abc):-1\n", "\(abc) \n",
      "\(abc)0:1\n", "\(abc.dropLast()):1\n", "\(abc):1 \n", "\(abc):1\r\r\n", "\(abc):1234567890123456789\n",
      " \(abc)\n",
    ])
  func noLine(_ text: String) { #expect(parse(text) == nil) }

  @Test("HashLine reads nothing at or beyond the limit, where memory may end")
  func limit() throws {
    let pages = mmap(nil, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let first = try #require(pages == MAP_FAILED ? nil : pages)
    defer { munmap(first, 8192) }
    let limit = first.assumingMemoryBound(to: UInt8.self) + 4096
    // access to it is SIGSEGV
    try #require(mprotect(limit, 4096, PROT_NONE) == 0)
    let text = Array("\(abc):12\r\n".utf8)
    for count in 0...text.count {
      let start = limit - count
      for index in 0..<count { start[index] = text[index] }
      #expect((HashLine(at: start, before: limit) != nil) == (count == text.count), "\(count)")
    }
  }

  @Test("the reason for an invalid line explains what is wrong")
  func reasons() {
    #expect(reason("") == "the line is empty")
    #expect(reason("\r") == "the line is empty")
    #expect(reason("hello") == "\"h\" at column 1 is not a hexadecimal digit; expected HEX or HEX:COUNT")
    #expect(reason("12\u{7}") == "byte 0x7 at column 3 is not a hexadecimal digit; expected HEX or HEX:COUNT")
    #expect(reason("\(abc) 1") == "\" \" at column 41 is not a hexadecimal digit; expected HEX or HEX:COUNT")
    #expect(reason("abc:1\r") == "the hash has 3 hexadecimal digits, not 40")
    #expect(reason("\(abc)0") == "the hash has 41 hexadecimal digits, not 40")
    #expect(reason(String(repeating: "0", count: 32)).contains("NTLM"))
    #expect(reason(String(repeating: "0", count: 35) + ":1").contains("range"))
    #expect(reason(String(repeating: "0", count: 64)).contains("SHA-256"))
    #expect(reason("\(abc):1,2") == "the count contains \",\" at column 43, which is not a digit")
    #expect(reason("\(abc):") == "there is no count after the colon")
    #expect(reason("\(abc):1234567890123456789") == "the count has more than 18 digits")
  }

  @Test("HashLine reads hashes in either case, with and without count, LF and CRLF")
  func right() throws {
    let hash = EntryHash(first: 0xA999_3E36_4706_816A, second: 0xBA3E_2571_7850_C26C)
    for digits in [abc, abc.lowercased()] {
      let counts: [(String, UInt64?)] = [
        ("", nil), (":7", 7), (":0", 0), (":999999999999999999", 999_999_999_999_999_999),
      ]
      for (rest, count) in counts {
        for end in ["\n", "\r\n"] {
          let text = digits + rest + end
          let line = try #require(parse(text + "more"))
          #expect(line.hash == hash)
          #expect(line.count == count)
          #expect(line.length == text.utf8.count)
        }
      }
    }
  }

  @Test("the hash of a line equals the hash of its password")
  func samePassword() throws {
    #expect(try #require(parse("\(abc)\n")).hash == EntryHash(password("abc")))
    #expect(try #require(parse("\(empty)\n")).hash == EntryHash(password("")))
    // more than one block of SHA-1: `head -c 1000000 /dev/zero | tr '\0' a | sha1sum` (FIPS 180, example 3)
    let million = try #require(parse("34aa973cd4c4daa4f61eeb2bdbad27316534016f\n"))
    #expect(million.hash == EntryHash(password(String(repeating: "a", count: 1_000_000))))
  }
}
