import Registration
import TestDoubles
import Testing

@testable import PasswordHashing

@Suite("Password hash format")
struct PasswordHashFormatTests {
  private static let salt = "XnLGx0AXqTxZVE+pC3QqBw"  // 16 bytes
  private static let tag = "7M5TXd+B32ej6Iru3etwk2Xp4OhRY6ZfQduDz4HnmH0"  // 32 bytes
  private static let argon = "$argon2id$v=19$m=64,t=2,p=1$\(salt)$\(tag)"
  private static let scrypt = "$scrypt$ln=4,r=8,p=1$\(salt)$\(tag)"
  private static let saltAndTag = "A0j.0LMhIjjxI33XGUfHzOviL2kru5DV6kqorEqTrafo1Kv1asASq"

  private static func argon(_ parameters: String, _ salt: String = salt, _ tag: String = tag) -> String {
    "$argon2id$v=19$\(parameters)$\(salt)$\(tag)"
  }
  private static func scrypt(_ parameters: String, _ salt: String = salt, _ tag: String = tag) -> String {
    "$scrypt$\(parameters)$\(salt)$\(tag)"
  }

  static let refused: [(text: String, reason: String, says: String)] = [
    ("", "hash.missing", "is missing"),
    // no scheme or another scheme
    ("correct horse", "hash.malformed", "white space"), ("hunter2", "hash.unsupported", "unknown"),
    ("$", "hash.unsupported", "unknown"), ("$$", "hash.unsupported", "unknown"),
    ("$hunter2", "hash.unsupported", "unknown"), ("$hunter2$", "hash.unsupported", "unknown"),
    ("argon2id$v=19$m=64,t=2,p=1$\(salt)$\(tag)", "hash.unsupported", "unknown"),
    ("{CRYPT}\(argon)", "hash.unsupported", "unknown"),
    ("$ARGON2ID\(argon.dropFirst(9))", "hash.unsupported", "unknown"),
    ("$argon2d\(argon.dropFirst(9))", "hash.unsupported", "argon2d hashes are"),
    ("$1$saltsalt$abcdef", "hash.unsupported", "1 hashes are"),
    ("$gy$j9T$salt$hash", "hash.unsupported", "gy hashes are"),
    ("$2x$04$\(saltAndTag)", "hash.unsupported", "2x hashes"),
    ("$2$04$\(saltAndTag)", "hash.unsupported", "2 hashes are"),
    ("$7$C6..../....\(salt)$\(tag)", "hash.unsupported", "7 hashes are"),
    ("$sha1$29000$\(salt)$\(tag)", "hash.unsupported", "sha1 hashes are"),
    // the text as a whole
    (" \(argon)", "hash.malformed", "white space"), ("\(argon)\n", "hash.malformed", "white space"),
    ("\(argon)\r\n", "hash.malformed", "white space"), ("\(argon)\u{0}", "hash.malformed", "white space"),
    ("\(argon)é", "hash.malformed", "ASCII"), ("\(argon)\u{7F}", "hash.malformed", "ASCII"),
    (argon("m=64,t=2,p=１"), "hash.malformed", "ASCII"),
    (argon + String(repeating: "A", count: 513 - argon.utf8.count), "hash.malformed", "512 bytes"),
    (String(repeating: "$", count: 1_000_000), "hash.malformed", "512 bytes"),
    // argon2id: fields
    ("$argon2id", "hash.malformed", "v=19"), ("$argon2id$", "hash.malformed", "v=19"),
    ("$argon2id$v=19", "hash.malformed", "fields"), ("$argon2id$v=19$", "hash.malformed", "fields"),
    ("$argon2id$v=19$m=64,t=2,p=1$\(salt)", "hash.malformed", "fields"), ("\(argon)$", "hash.malformed", "fields"),
    ("\(argon)$x", "hash.malformed", "fields"),
    ("$argon2id$v=19$$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "fiel"),
    // argon2id: version
    ("$argon2id$v=16$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "v=19, which"),
    ("$argon2id$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "gives no version"),
    ("$argon2id$v=$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "v=19, which"),
    ("$argon2id$v=019$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "v=19, which"),
    ("$argon2id$v=99999999999999999999$m=64,t=2,p=1$\(salt)$\(tag)", "hash.malformed", "v=19, which"),
    // argon2id: parameters
    (argon(""), "hash.malformed", "m=…,t=…,p=…"), (argon("m=64,t=2"), "hash.malformed", "m=…,t=…,p=…"),
    (argon("t=2,m=64,p=1"), "hash.malformed", "order"), (argon("m=64,m=64,t=2,p=1"), "hash.malformed", "order"),
    (argon("m=64,t=2,t=2"), "hash.malformed", "order"), (argon("m=64,t=2,p=1,"), "hash.malformed", "order"),
    (argon("m=64,t=2,p=1,keyid=AAAA"), "hash.malformed", "order"), (argon("m=64;t=2;p=1"), "hash.malformed", "order"),
    (argon("M=64,t=2,p=1"), "hash.malformed", "order"), (argon("m64,t=2,p=1"), "hash.malformed", "order"),
    (argon("m=,t=2,p=1"), "hash.malformed", "parameter m"), (argon("m=+64,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=-64,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=064,t=2,p=1"), "hash.malformed", "leading zero"),
    (argon("m=0x40,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=6_4,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=64.0,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=64:,t=2,p=1"), "hash.malformed", "parameter m"),
    (argon("m=0,t=2,p=1"), "hash.malformed", "parameter m"), (argon("m=64,t=0,p=1"), "hash.malformed", "parameter t"),
    (argon("m=64,t=2,p=0"), "hash.malformed", "parameter p"),
    (argon("m=99999999999999999999,t=2,p=1"), "hash.malformed", "from 1 to 999999999"),
    (argon("m=64,t=18446744073709551618,p=1"), "hash.malformed", "from 1 to 999999999"),
    (argon("m=64,t=2,p=4294967297"), "hash.malformed", "from 1 to 999999999"),
    (argon("m=7,t=2,p=1"), "hash.malformed", "8 times p"), (argon("m=31,t=2,p=4"), "hash.malformed", "8 times p"),
    // argon2id: costs
    (argon("m=262145,t=1,p=1"), "hash.tooCostly", "is 262145; the maximum is 262144"),
    (argon("m=999999999,t=999999999,p=1"), "hash.tooCostly", "is 999999999; the maximum is 262144"),
    (argon("m=64,t=17,p=1"), "hash.tooCostly", "is 17; the maximum is 16"),
    (argon("m=262144,t=5,p=1"), "hash.tooCostly", "is 1310720; the maximum is 1048576"),
    // bytes
    (argon("m=64,t=2,p=1", salt + "=="), "hash.malformed", "salt"),
    (argon("m=64,t=2,p=1", salt, tag + "="), "hash.malformed", "hash value"),
    (argon("m=64,t=2,p=1", "XnLGx0AXqTxZVE-pC3QqBw"), "hash.malformed", "salt"),  // the alphabet of URLs
    (argon("m=64,t=2,p=1", "XnLGx0AXqTxZVE.pC3QqBw"), "hash.malformed", "salt"),  // passlib's other alphabet
    (argon("m=64,t=2,p=1", "XnLGx0AXqTxZVE+pC3QqBx"), "hash.malformed", "canonical"),  // bits left over: 4
    (argon("m=64,t=2,p=1", salt, tag.dropLast() + "1"), "hash.malformed", "canonical"),  // 2
    (argon("m=64,t=2,p=1", salt + "AAA"), "hash.malformed", "canonical"),  // 6: no byte ends here
    (argon("m=64,t=2,p=1", ""), "hash.tooWeak", "salt is 0 bytes"),
    (argon("m=64,t=2,p=1", "XnLGx0AXqQ"), "hash.tooWeak", "salt is 7 bytes long; the minimum is 8"),
    (argon("m=64,t=2,p=1", salt, ""), "hash.tooWeak", "value is 0 bytes"),
    (argon("m=64,t=2,p=1", salt, "LyMxDn93SQyMPQx2tpii"), "hash.tooWeak", "value is 15 bytes long; the minimum is 16"),
    // bcrypt
    ("$2b$", "hash.malformed", "fields"), ("$2b$04", "hash.malformed", "fields"),
    ("$2b$04$", "hash.malformed", "22 characters"),
    ("$2b$04$\(saltAndTag.dropLast())", "hash.malformed", "22 characters"),
    ("$2b$04$\(saltAndTag).", "hash.malformed", "22 characters"), ("$2b$04$\(saltAndTag)$", "hash.malformed", "fields"),
    ("$2b$4$\(saltAndTag)", "hash.malformed", "two digits"), ("$2b$004$\(saltAndTag)", "hash.malformed", "two digits"),
    ("$2b$03$\(saltAndTag)", "hash.malformed", "04 to 31"), ("$2b$+4$\(saltAndTag)", "hash.malformed", "two digits"),
    ("$2b$4x$\(saltAndTag)", "hash.malformed", "two digits"), ("$2b$32$\(saltAndTag)", "hash.malformed", "04 to 31"),
    ("$2b$17$\(saltAndTag)", "hash.tooCostly", "is 17; the maximum is 16"),
    ("$2b$31$\(saltAndTag)", "hash.tooCostly", "is 31; the maximum is 16"),
    ("$2b$04$A0j.0LMhIjjxI33XGUfHz/\(saltAndTag.dropFirst(22))", "hash.malformed", "salt"),
    ("$2b$04$\(saltAndTag.dropLast())r", "hash.malformed", "hash value"),
    ("$2b$04$+\(saltAndTag.dropFirst())", "hash.malformed", "salt"),
    // scrypt
    ("$scrypt", "hash.malformed", "fields"), ("$scrypt$ln=4,r=8,p=1$\(salt)", "hash.malformed", "fields"),
    ("\(scrypt)$", "hash.malformed", "fields"), (scrypt("r=8,ln=4,p=1"), "hash.malformed", "ln=…,r=…,p=…"),
    (scrypt("N=16,r=8,p=1"), "hash.malformed", "ln=…,r=…,p=…"),
    (scrypt("ln=0,r=8,p=1"), "hash.malformed", "parameter ln"),
    (scrypt("ln=04,r=8,p=1"), "hash.malformed", "leading zero"),
    (scrypt("ln=4,r=0,p=1"), "hash.malformed", "parameter r"),
    (scrypt("ln=4,r=8,p=0"), "hash.malformed", "parameter p"),
    (scrypt("ln=16,r=1,p=1"), "hash.malformed", "16 times r"),
    (scrypt("ln=9999999999999999999,r=8,p=1"), "hash.malformed", "from 1 to 999999999"),
    (scrypt("ln=21,r=8,p=1"), "hash.tooCostly", "is 21; the maximum is 20"),
    (scrypt("ln=999999999,r=999999999,p=999999999"), "hash.tooCostly", "is 999999999; the maximum is 20"),
    (scrypt("ln=4,r=65,p=1"), "hash.tooCostly", "is 65; the maximum is 64"),
    (scrypt("ln=4,r=8,p=17"), "hash.tooCostly", "is 17; the maximum is 16"),
    (scrypt("ln=19,r=8,p=1"), "hash.tooCostly", "is 536870912; the maximum is 268435456"),
    (scrypt("ln=18,r=8,p=5"), "hash.tooCostly", "is 1342177280; the maximum is 1073741824"),
    (scrypt("ln=4,r=8,p=1", "XnLGx0AXqQ"), "hash.tooWeak", "salt is 7 bytes"),
    (scrypt("ln=4,r=8,p=1", salt, "LyMxDn93SQyMPQx2tpii"), "hash.tooWeak", "value is 15 bytes"),
    (scrypt("ln=4,r=8,p=1", salt, "XnLGx0AXqTxZVE.pC3QqBw"), "hash.malformed", "hash value"),
  ]

  @Test("the format refuses an invalid hash with a reason", arguments: refused.indices)
  func refuses(_ index: Int) {
    let (text, reason, says) = Self.refused[index]
    guard case .failure(let problem) = PasswordHashFormat().check(text) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(problem.reason.rawValue == reason)
    #expect(problem.message.contains(says))
    // the message contains no possible secret: no salt, no value, and no text that is not a known scheme
    for secret in [Self.salt, Self.tag, Self.saltAndTag, "hunter2", "horse", "XnLGx0AX", "LyMx"] {
      #expect(!problem.message.contains(secret))
    }
  }

  @Test(
    "the format refuses every prefix of a valid hash, and a valid hash with an extra character",
    arguments: [argon, scrypt, "$2b$04$\(saltAndTag)"])
  func cut(_ text: String) {
    #expect((try? PasswordHashFormat().check(text).get()) == PasswordHash(phc: text))
    // a shorter value of 16 bytes or more is also valid
    let shortest = text.hasPrefix("$2") ? text.utf8.count : text.utf8.count - Self.tag.utf8.count + 22
    for length in 0..<shortest { #expect((try? PasswordHashFormat().check(String(text.prefix(length))).get()) == nil) }
    for more in ["$", "=", "\n", " ", "é"] { #expect((try? PasswordHashFormat().check(text + more).get()) == nil) }
  }

  @Test(
    "the format accepts hashes at the limits",
    arguments: [
      argon, argon("m=8,t=1,p=1"), argon("m=262144,t=4,p=1"), argon("m=65536,t=16,p=16"), argon("m=128,t=16,p=16"),
      argon("m=65536,t=3,p=4"), argon("m=64,t=2,p=1", "XnLGx0AXqTw"),
      argon("m=64,t=2,p=1", salt, "LyMxDn93SQyMPQx2tpiiiQ"),
      scrypt, scrypt("ln=1,r=1,p=1"), scrypt("ln=15,r=1,p=16"), scrypt("ln=20,r=2,p=4"), scrypt("ln=18,r=8,p=4"),
      scrypt("ln=15,r=64,p=4"), scrypt("ln=4,r=8,p=1", "XnLGx0AXqTw"),
      "$2a$04$\(saltAndTag)", "$2b$16$\(saltAndTag)", "$2y$10$\(saltAndTag)",
    ])
  func takes(_ text: String) throws {
    #expect(try PasswordHashFormat().check(text).get().phc == text)
  }

  @Test("a hash is parsed into its parts")
  func parts() throws {
    func read(_ text: String) throws -> PasswordHashFormat.Scheme {
      try PasswordHashFormat.read(.init(phc: text)).get()
    }
    guard case .argon2id(let argon) = try read(Self.argon("m=64,t=2,p=3", "+/+/+/+/+/8", "AAECAwQFBgcICQoLDA0ODw"))
    else {
      Issue.record("no argon2id")
      return
    }
    #expect([argon.memoryKiB, argon.passes, argon.lanes] == [64, 2, 3])
    #expect(argon.salt == [0xFB, 0xFF, 0xBF, 0xFB, 0xFF, 0xBF, 0xFB, 0xFF])
    #expect(argon.tag == Array(0...15))
    guard case .scrypt(let scrypt) = try read(Self.scrypt("ln=4,r=8,p=2", "+/+/+/+/+/8", "AAECAwQFBgcICQoLDA0ODw"))
    else {
      Issue.record("no scrypt")
      return
    }
    #expect([scrypt.logN, scrypt.blockSize, scrypt.parallelism] == [4, 8, 2])
    #expect(scrypt.salt == argon.salt)
    #expect(scrypt.tag == argon.tag)
    guard case .bcrypt(let bcrypt) = try read("$2y$12$\(Self.saltAndTag)") else {
      Issue.record("no bcrypt")
      return
    }
    #expect(bcrypt.cost == 12)
    #expect(bcrypt.text == "$2y$12$\(Self.saltAndTag)")
    #expect("\(argon)\(scrypt)\(bcrypt)\(try read(Self.argon))" == String(repeating: "(password hash)", count: 4))
  }

  @Test("a stored hash beyond the cost limits is accepted only if regd could have made it")
  func kept() {
    func problem(_ text: String) -> PasswordHashProblem.Reason? {
      if case .failure(let problem) = PasswordHashFormat.read(.init(phc: text)) { problem.reason } else { nil }
    }
    #expect(problem(Self.argon("m=4194304,t=100,p=1")) == nil)
    #expect(problem(Self.argon("m=4194304,t=1,p=2")) == .tooCostly)
    #expect(problem(Self.scrypt("ln=19,r=8,p=1")) == .tooCostly)
    #expect(problem("$2b$31$\(Self.saltAndTag)") == .tooCostly)
    #expect(problem(Self.argon("m=64,t=2,p=1", "XnLGx0AXqQ")) == .tooWeak)
    #expect(problem("no hash") == .malformed)
    #expect(problem("") == .missing)
  }
}
