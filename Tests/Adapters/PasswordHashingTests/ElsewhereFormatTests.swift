import Registration
import TestDoubles
import Testing

@testable import PasswordHashing

@Suite("Formats of other systems' hashes")
struct ElsewhereFormatTests {
  private static let all = Vectors.elsewhere
  private static let value43 = String(repeating: "A", count: 40) + "..."
  private static let value86 = String(repeating: "A", count: 84) + ".."
  private static let bcrypt = "A0j.0LMhIjjxI33XGUfHzOviL2kru5DV6kqorEqTrafo1Kv1asASq"

  typealias Refused = (text: String, reason: PasswordHashProblem.Reason, says: String)

  static let unknown: [Refused] = [
    ("{MD5}rL0Y20zC+Fzt72VPzMSk2A==", .unsupported, "{MD5}"), ("{sha}abcd", .unsupported, "{SHA}"),
    ("{hunter2}abcd", .unsupported, "unknown"), ("{CRYPT}hunter2", .unsupported, "unknown"),
    ("{CRYPT}", .unsupported, "unknown"), ("{}", .unsupported, "unknown"), ("{", .unsupported, "unknown"),
    ("{CRYPT}$1$saltsalt$abcdef", .unsupported, "unknown"), ("{SSHA", .unsupported, "unknown"),
    ("{ARGON2}$2b$10$\(bcrypt)", .unsupported, "unknown"), ("{CRYPT}{SSHA}AAAA", .unsupported, "unknown"),
    ("hunter2$x", .unsupported, "unknown"), ("md5$salt$value", .unsupported, "md5 hashes"),
    ("unsalted_md5$x", .unsupported, "unsalted_md5 hashes"), ("bcrypt$hunter2", .unsupported, "unknown"),
    ("bcrypt_sha256$$5$salt$x", .unsupported, "unknown"), ("argon2$argon2d$v=19", .unsupported, "unknown"),
    ("$1$saltsalt$abcdef", .unsupported, "1 hashes"), ("$gy$j9T$salt$hash", .unsupported, "gy hashes"),
    ("$PBKDF2-SHA256$1000$AAAAAAAAAAA$AAAA", .unsupported, "unknown"),
  ]

  private static let pbkdf2: [Refused] = [
    ("$pbkdf2-sha256", .malformed, "fields"), ("$pbkdf2-sha256$1000$AAAA", .malformed, "fields"),
    ("$pbkdf2-sha256$1000$AAAA$AAAA$", .malformed, "fields"),
    ("$pbkdf2-sha256$0$AAAAAAAAAAA$AAAA", .malformed, "iterations"),
    ("$pbkdf2-sha256$01$AAAAAAAAAAA$AAAA", .malformed, "iterations"),
    ("$pbkdf2-sha256$-1$AAAAAAAAAAA$AAAA", .malformed, "iterations"),
    ("$pbkdf2-sha256$1000000000$AAAAAAAAAAA$AAAA", .malformed, "from 1 to 999999999"),
    ("$pbkdf2-sha256$i=$AAAAAAAAAAA$AAAA", .malformed, "iterations"),
    ("$pbkdf2-sha256$i=1000,l=31$AAAAAAAAAAA$AAAA", .malformed, "length of the hash value in bytes"),
    ("$pbkdf2-sha256$i=1000,l=3,x=1$AAAAAAAAAAA$AAAA", .malformed, "length of the hash value in bytes"),
    ("$pbkdf2-sha256$i=1000$AAAAAAAAAAA.$AAAA", .malformed, "salt"),
    ("$pbkdf2-sha256$i=1000$AAAAAAAAAAA$AAA.", .malformed, "value"),
    ("$pbkdf2-sha256$1000$AAAAAAAAAA+$AAAA", .malformed, "with . instead of +"),
    ("$pbkdf2-sha256$1000$AAAAAAAAAAA$AAA+", .malformed, "with . instead of +"),
    ("$pbkdf2-sha256$1000$AAAAAAAAAAA$AAB", .malformed, "canonical"),
    ("$pbkdf2-sha256$1000$AAAAAAAAAAA$AAAA", .tooWeak, "value is 3 bytes"),
    ("$pbkdf2$1000$AAAA$AAAA", .tooWeak, "salt is 3 bytes"),
    ("$pbkdf2-sha256$10000001$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly, "is 10000001; the maximum is 10000000"),
    // two blocks of SHA-1
    ("$pbkdf2$5000001$AAAAAAAAAAA$\(String(repeating: "A", count: 28))", .tooCostly, "the maximum is 10000000"),
    ("$pbkdf2$999999999$AAAAAAAAAAA$\(String(repeating: "A", count: 400))", .tooCostly, "the maximum is 10000000"),
    ("pbkdf2_sha256$1000$saltsalt$AAAA", .tooWeak, "value"), ("pbkdf2_sha256$1000$salt$AAAA", .tooWeak, "salt"),
    ("pbkdf2_sha256$1000$saltsalt$AAA", .malformed, "with padding"),
    ("pbkdf2_sha256$1000$saltsalt$AA==AA==", .malformed, "with padding"),
    ("pbkdf2_sha256$1000$saltsalt$A===", .malformed, "with padding"),
    ("pbkdf2_sha256$i=1000$saltsalt$AAAA", .malformed, "iterations"),
    ("pbkdf2_sha256$1000$saltsalt", .malformed, "pbkdf2_sha256$iterations"),
    ("{PBKDF2-SHA256}1000$AAAAAAAAAAA", .malformed, "{PBKDF2-SHA256}iterations"),
    ("{PBKDF2-SHA256}$1000$AAAAAAAAAAA$AAAA", .malformed, "{PBKDF2-SHA256}iterations"),
    ("{PBKDF2-SHA256}x$AAAAAAAAAAA$AAAA", .malformed, "iterations"),
    ("{PBKDF2-SHA256}1000$AAAAAAAAAAA=$AAA+", .tooWeak, "value is 3 bytes"),
    ("{PBKDF2-SHA256}1000$AAAAAAAAAAA$AAA=", .malformed, "with padding"),
    ("{PBKDF2-SHA256}1000$AAAAAAAAAAA=$AA+", .malformed, "with padding"),
    ("{PBKDF2-SHA256}1000$AAAAAAAAAA.=$AAAA", .malformed, "with padding"),
    ("$pbkdf2-sha256$1000$AAAAAAAAAAA=$AAAA", .malformed, "with . instead of +"),
    ("{PBKDF2_SHA256}", .malformed, "value"), ("{PBKDF2_SHA256}AAAD6A==", .malformed, "value"),
    ("{PBKDF2_SHA256}1000$AAAAAAAAAAA$AAAA", .malformed, "{PBKDF2_SHA256}value"),
    ("{PBKDF2_SHA256}\(String(repeating: "A", count: 432))", .malformed, "value"),
    ("{PBKDF2_SHA256}f\(String(repeating: "A", count: 431))", .tooCostly, "the maximum is 10000000"),
  ]

  private static let salted: [Refused] = [
    ("{SSHA}", .malformed, "a digest of 20 bytes"), ("{SSHA}AAAA", .malformed, "a digest of 20 bytes"),
    ("{SSHA}AAAAAAAAAAAAAAAAAAAAAAAAAAA=", .malformed, "followed by the salt"),
    ("{SSHA}AAAAAAAAAAAAAAAAAAAAAAAAAAAA", .tooWeak, "salt is 1 byte long; the minimum is 4"),
    ("{SSHA512}AAAAAAAAAAAAAAAAAAAAAAAAAAAA", .malformed, "a digest of 64 bytes"),
    ("{SSHA}0+ZuGoMccxwIEQCiAyKr6WnGyE77/7/7/78BAg=", .malformed, "with padding"),
    ("{SSHA}0-ZuGoMccxwIEQCiAyKr6WnGyE77/7/7/78BAg==", .malformed, "standard alphabet"),
  ]

  private static let crypt: [Refused] = [
    ("$5", .malformed, "$5$[rounds=…$]salt$value"), ("$5$rounds=1000", .malformed, "fields"),
    ("$5$rounds=1000$saltstring", .malformed, "fields"), ("$5$saltstring$\(value43)$", .malformed, "fields"),
    ("$5$rounds=999$saltstring$\(value43)", .malformed, "1000 or more"),
    ("$5$rounds=01000$saltstring$\(value43)", .malformed, "leading zeros"),
    ("$5$rounds=$saltstring$\(value43)", .malformed, "rounds"),
    ("$5$rounds=2000001$saltstring$\(value43)", .tooCostly, "is 2000001; the maximum is 2000000"),
    ("$6$rounds=999999999$saltstring$\(value86)", .tooCostly, "the maximum is 2000000"),
    ("$5$$\(value43)", .malformed, "salt"), ("$5$0123456789abcdefg$\(value43)", .malformed, "16 characters"),
    ("$5$sa:lt$\(value43)", .malformed, "without ! * : ; \\"), ("$6$sa*lt$\(value86)", .malformed, "salt"),
    ("$6$saltstring$\(value43)", .malformed, "86 characters"),
    ("$5$saltstring$\(value86)", .malformed, "43 characters"),
    ("$6$saltstring$\(value86.dropLast())!", .malformed, "86 characters"),
    ("$5$saltstring$\(value43.dropLast())z", .malformed, "with all unused bits zero"),
    ("$y$j9T$Af/.$\(value43.dropLast())", .malformed, "43 characters"),
    ("$y$j9T$Af/.$\(value43.dropLast())z", .malformed, "with all unused bits zero"),
    ("$y$j9T$Af/.", .malformed, "$y$parameters$salt$value"),
    ("$y$j9T$$\(value43)", .malformed, "salt"), ("$y$j9T$Af/.A$\(value43)", .malformed, "salt"),
    ("$y$j9T$Afz$\(value43)", .malformed, "salt"), ("$y$j9T$sa-t$\(value43)", .malformed, "salt"),
    ("$y$j9T$\(String(repeating: ".", count: 87))$\(value43)", .malformed, "1 to 64 bytes"),
    ("$y$j9$Af/.$\(value43)", .malformed, "as in j9T"), ("$y$j9T1$Af/.$\(value43)", .malformed, "as in j9T"),
    ("$y$k9T$Af/.$\(value43)", .malformed, "as in j9T"), ("$y$jzT$Af/.$\(value43)", .malformed, "as in j9T"),
    ("$y$j.T$Af/.$\(value43)", .malformed, "as in j9T"), ("$y$j9k$Af/.$\(value43)", .malformed, "as in j9T"),
    ("$y$jJT$Af/.$\(value43)", .tooCostly, "is 22; the maximum is 20"),
    ("$y$jjj$Af/.$\(value43)", .tooCostly, "is 48; the maximum is 20"),
    ("$y$jET$Af/.$\(value43)", .tooCostly, "the maximum is 268435456"),
    ("{CRYPT}$6$rounds=2000001$saltstring$\(value86)", .tooCostly, "the maximum is 2000000"),
  ]

  private static let others: [Refused] = [
    ("$P$", .malformed, "31 characters"), ("$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0$", .malformed, "31 characters"),
    ("$P$4IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", .malformed, "7 to 30"),
    ("$H$!IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", .malformed, "7 to 30"),
    ("$P$HIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", .tooCostly, "is 19; the maximum is 18"),
    ("$P$SIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", .tooCostly, "is 30; the maximum is 18"),
    ("$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.Lz", .malformed, "unused bits zero"),
    ("$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r!L0", .malformed, "22 characters"),
    ("$wp$2b$10$\(bcrypt)", .malformed, "$wp$2y$"), ("$wp", .malformed, "$wp$2y$"),
    ("$wp$2y$10", .malformed, "$wp$2y$"), ("$wp$2y$3$\(bcrypt)", .malformed, "two digits"),
    ("$wp$2y$17$\(bcrypt)", .tooCostly, "is 17; the maximum is 16"),
    ("$wp$2y$10$\(bcrypt.dropLast())", .malformed, "22 characters of salt"),
    ("bcrypt_sha256$$2b$17$\(bcrypt)", .tooCostly, "is 17; the maximum is 16"),
    ("$argon2i$m=64,t=2,p=1$AAAA$AAAA", .malformed, "gives no version"),
    ("$argon2i$v=19$m=64,t=2,p=1$AAAA$AAAA", .tooWeak, "salt is 3 bytes"),
    ("$argon2i$v=19$m=262145,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly, "is 262145"),
    ("scrypt$15$saltsalt$8$1$AAAA", .malformed, "power of two"), ("scrypt$1$saltsalt$8$1$AAAA", .malformed, "power of"),
    ("scrypt$16$saltsalt$8$AAAA", .malformed, "scrypt$N$salt$r$p$value"),
    ("scrypt$16$saltsalt$0$1$AAAA", .malformed, "parameter r"),
    ("scrypt$16$saltsalt$8$x$AAAA", .malformed, "parameter p"),
    ("scrypt$16$saltsalt$8$1$AAA", .malformed, "padding"), ("scrypt$16$saltsalt$8$1$AAAA", .tooWeak, "value is 3"),
    ("scrypt$16$salt$8$1$AAAA", .tooWeak, "salt is 4"),
    ("scrypt$536870912$saltsalt$8$1$AAAAAAAAAAAAAAAAAAAAAA==", .tooCostly, "is 29; the maximum is 20"),
    ("scrypt$524288$saltsalt$8$1$AAAAAAAAAAAAAAAAAAAAAA==", .tooCostly, "the maximum is 268435456"),
  ]

  private static let firebase: [Refused] = [
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAAA", .malformed, "$fbscrypt$v=1"),
    ("$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==$AAAA$AAAA", .malformed, "v=1,n="),
    ("$fbscrypt$v=1,n=14,r=8,p=2,ss=Bw==$AAAA$AAAA", .malformed, "p=1"),
    ("$fbscrypt$v=1,r=8,n=14,p=1,ss=Bw==$AAAA$AAAA", .malformed, "in this order"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA$AAAA$AAAA", .malformed, "in this order"),
    ("$fbscrypt$v=1,n=x,r=8,p=1,ss=Bw==$AAAA$AAAA", .malformed, "parameter ln"),
    ("$fbscrypt$v=1,n=14,r=0,p=1,ss=Bw==$AAAA$AAAA", .malformed, "parameter r"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw$AAAA$AAAA", .malformed, "separator"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAA$AAAA", .malformed, "salt"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAAA$AAA", .malformed, "hash value"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAAA$AAAA", .malformed, "16 bytes long, the same length as"),
    ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAAA$AAECAwQFBgcICQoLDA0ODw==", .tooWeak, "salt is 3 bytes"),
    (
      "$fbscrypt$v=1,n=21,r=8,p=1,ss=Bw==$42xEC+ixf3L2lw==$AAECAwQFBgcICQoLDA0ODw==", .tooCostly,
      "is 21; the maximum is 20"
    ),
    (
      "$fbscrypt$v=1,n=19,r=8,p=1,ss=Bw==$42xEC+ixf3L2lw==$AAECAwQFBgcICQoLDA0ODw==", .tooCostly,
      "the maximum is 268435456"
    ),
  ]

  private static let refused = unknown + pbkdf2 + salted + crypt + others + firebase

  @Test("the format refuses an invalid hash with a reason that contains no secret", arguments: refused.indices)
  func refuses(_ index: Int) throws {
    let (text, reason, says) = Self.refused[index]
    let keys = try #require(ForeignKeys(firebase: "AAECAwQFBgcICQoLDA0ODw=="))
    guard case .failure(let problem) = PasswordHashFormat(keys: keys).check(text) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(problem.reason == reason, "\(text): \(problem.message)")
    #expect(problem.message.contains(says), "\(text): \(problem.message)")
    for secret in ["hunter2", "saltstring", "saltsalt", "AAAA"] { #expect(!problem.message.contains(secret)) }
    // stored hashes are read by the same rules
    #expect(throws: PasswordHashProblem.self) { try PasswordHashFormat.read(PasswordHash(phc: text), keys).get() }
  }

  @Test(
    "the format refuses every prefix of a valid hash, and a valid hash with an extra character", arguments: all.indices)
  func cut(_ index: Int) {
    let text = Self.all[index].phc
    for length in 0..<Self.shortest(text) {
      #expect((try? PasswordHashFormat().check(String(text.prefix(length))).get()) == nil, "\(text.prefix(length))")
    }
    for more in ["$", "=", "\n", " ", "é"] { #expect((try? PasswordHashFormat().check(text + more).get()) == nil) }
  }

  /// The length up to which no prefix is valid: a shorter salt or value in base64 may also be valid.
  private static func shortest(_ text: String) -> Int {
    let kinds = [("{ssha}", 38), ("{ssha256}", 57), ("{ssha512}", 100)]
    if let kind = kinds.first(where: { text.lowercased().hasPrefix($0.0) }) { return kind.1 }
    let isWhole = ["$5$", "$6$", "$y$", "$P$", "$H$", "$wp$", "bcrypt", "{crypt}", "{CRYPT}"].contains(
      where: text.hasPrefix)
    guard !isWhole, let last = text.lastIndex(of: "$") else { return text.utf8.count }
    return text.utf8.distance(from: text.startIndex, to: last) + 1 + 22
  }

  @Test(
    "the format accepts hashes at the limits",
    arguments: [
      "$pbkdf2-sha256$10000000$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", "{SSHA}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "$pbkdf2$5000000$AAAAAAAAAAA$\(String(repeating: "A", count: 28))",
      "$pbkdf2-sha1$1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$5$rounds=2000000$s$\(value43)", "$6$rounds=1000$0123456789abcdef$\(value86)", "$y$jD/$..$\(value43)",
      "$y$j/j$\(String(repeating: ".", count: 86))$\(value43)", "$y$jH/$..$\(value43)",
      "$P$GIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", "$H$5IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", "$wp$2y$16$\(bcrypt)",
      "scrypt$262144$saltsalt$8$4$AAAAAAAAAAAAAAAAAAAAAA==",
      "$argon2i$v=19$m=262144,t=4,p=16$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func takes(_ text: String) throws {
    #expect(try PasswordHashFormat().check(text).get().phc == text)
  }
}
