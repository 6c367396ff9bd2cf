import DoorHelpers
import Linux
import Testing

@Suite("Names and passwords that a program passes", .timeLimit(.minutes(5)))
struct HandedEntryTests {
  @Test("PAM's password ends at the end of the input or at a NUL")
  func pam() {
    for (input, password) in [("", ""), ("pw", "pw"), ("pw\0", "pw"), ("p\nw\0more", "p\nw"), ("\0pw", "")] {
      let entry = HandedEntry.pam(login: [0x61], Array(input.utf8))
      #expect(entry == HandedEntry(login: [0x61], password: password.utf8))
    }
  }

  @Test("Apache's input is a line with the name and a line with the password, and further lines are rejected")
  func apache() {
    for (input, login, password) in [
      ("a\nb\n", "a", "b"), ("a\n\n", "a", ""), ("\nb\n", "", "b"), ("a b\n:\n", "a b", ":"),
    ] {
      #expect(HandedEntry.apache(Array(input.utf8)) == HandedEntry(login: login.utf8, password: password.utf8))
    }
    // a line feed in the name would turn the rest of the name into the password
    for input in [
      "ann@x.org\nsecret\n\n", "ann@x.org\nsecret\n/admin\nx\n", "a\n\n\n", "a\nb\nc\n", "\n\n\n", "a\nb\nc",
    ] {
      #expect(HandedEntry.apache(Array(input.utf8)) == HandedEntry(login: [], password: []), "\(input)")
    }
    let long = Array("a\n".utf8) + Array(repeating: UInt8(ascii: "p"), count: 200_000)
    #expect(HandedEntry.apache(long) == HandedEntry(login: [], password: []))
    for input in ["", "a", "a\n", "\n", "a\nb"] { #expect(HandedEntry.apache(Array(input.utf8)) == nil) }
  }

  @Test("checkpassword's input is two strings, each with a NUL after it, in at most 512 bytes")
  func checkpassword() {
    for (input, login, password) in [
      ("a\0b\0Y123\0", "a", "b"), ("a\0b\0", "a", "b"), ("a\0\0\0", "a", ""), ("a\0b c\0t\0more\0", "a", "b c"),
    ] {
      #expect(HandedEntry.checkpassword(Array(input.utf8)) == HandedEntry(login: login.utf8, password: password.utf8))
    }
    for input in ["", "a", "a\0", "a\0b"] { #expect(HandedEntry.checkpassword(Array(input.utf8)) == nil) }
    let longest = "a\0\(String(repeating: "p", count: 507))\0t\0"
    #expect(HandedEntry.checkpassword(Array(longest.utf8))?.password.count == 507)
    #expect(HandedEntry.checkpassword(Array("\(longest)x".utf8)) == nil)
  }

  @Test("input is read until it ends or is complete, more than the limit is noticed, and a silent writer times out")
  func reading() throws {
    let pipe = try Descriptor.pipe()
    try pipe.second.writeAll("abc\0def")
    // the writer keeps its end open
    #expect(HandedInput.read(pipe.first, atMost: 50, seconds: 300) { $0.contains(0) } == Array("abc\0def".utf8))
    try pipe.second.writeAll("123456")
    #expect(HandedInput.read(pipe.first, atMost: 5, seconds: 300)?.count == 6)
    #expect(HandedInput.read(pipe.first, atMost: 5, seconds: 1) == nil)
    #expect(HandedInput.read(try .open("/dev/null", .reading), atMost: 5, seconds: 300) == [])
  }
}
