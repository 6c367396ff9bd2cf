import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Hashes of other systems in a daemon", .blocking, .timeLimit(.minutes(10)))
struct ImportedHashTests {
  /// Firebase's published sample.
  private static let firebaseKey =
    "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
  private static let firebaseHash =
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
  private static let ssha = "{SSHA}PHdftNvlnUroUbxe62W1RuO1rZyNkXLO"
  private static let yescrypt = "$y$j75$6ZjwRgJUs9nvtCftliUDi1$1SEpDC68cMKKIqP01QK4axZCYlvnKeToq9Opkojg9o5"

  /// The reason and message of each refused record, by index.
  private func importing(_ client: RegdClient, _ hashes: [String]) throws -> [Int: String] {
    let records = hashes.enumerated().map { index, hash -> JSONValue in
      ["email": .string("a\(index)@example.com"), "passwordHash": .string(hash)]
    }
    let refused = try client.call("account.import", ["records": .array(records)]).get()["refused"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: try refused.map {
        (try #require($0["index"]?.integer), "\($0["reason"]?.string ?? ""): \($0["message"]?.string ?? "")")
      })
  }

  private func reason(_ client: RegdClient, _ index: Int, _ password: String) throws -> String {
    switch try client.call(
      "session.signIn", ["email": .string("a\(index)@example.com"), "password": .string(password)])
    {
    case .success: "right"
    case .failure(let error): error.reason
    }
  }

  private func hashes(_ client: RegdClient) throws -> [String] {
    (try client.call("account.export").get()["records"]?.array ?? []).compactMap { $0["passwordHash"]?.string }
  }

  @Test("a password that its old system escaped or normalized differently signs in, and its hash is renewed")
  func escaped() throws {
    try withRegd { regd in
      let client = try regd.client()
      let cases = [
        (#"it's "made" \ up"#, "$wp$2y$04$abcdefghijklmnopqrstuunSKXUYEFi/IVrjAxvL0uNT.JEZFivFi"),
        (#"it's "made" \ up"#, "$P$5IQRaTwmfzyX/Flnls8SYbVSMtqCJ50"),
        (#"made & <up> "one""#, "$H$5IQRaTwmfHAP3kURd.YugrWJSujLuE/"),
        (#"made & <up> "one""#, "$2y$04$abcdefghijklmnopqrstuufXNCeWAE3PlWJphat2ZLru4bshNIei."),
        ("scho\u{308}nes Wo\u{308}rtchen", "$2b$04$abcdefghijklmnopqrstuuwasAAq24f/./PSN2AsicHsT4KDI9O/S"),
      ]
      #expect(try importing(client, cases.map(\.1)) == [:])
      for (index, (password, _)) in cases.enumerated() {
        #expect(try reason(client, index, "\(password).") == "credentials.rejected")
        #expect(try reason(client, index, password) == "right", "\(password)")
        #expect(try reason(client, index, password) == "right", "\(password), renewed")
      }
      // While the old hash exists, the other normal form of the password is not accepted.
      #expect(try importing(client, Array(repeating: "-", count: 5) + [cases[4].1]).keys.sorted() == [0, 1, 2, 3, 4])
      #expect(try reason(client, 5, "sch\u{F6}nes W\u{F6}rtchen") == "credentials.rejected")
      #expect(try reason(client, 5, cases[4].0) == "right")
      #expect(try reason(client, 5, "sch\u{F6}nes W\u{F6}rtchen") == "right")
      #expect(try hashes(client).allSatisfy { $0.hasPrefix("$argon2id$v=19$m=7168,t=5,p=1$") })
    }
  }

  @Test(
    "a hash uses its own scheme until a sign-in, and then regd's; a Firebase hash uses the key of the credential"
  )
  func renewed() throws {
    try TemporaryDirectory.with { credentials in
      try TextFile.write(Self.firebaseKey + "\n", to: "\(credentials)/hashing-firebaseKey")
      try withRegd(["CREDENTIALS_DIRECTORY": credentials]) { regd in
        let client = try regd.client()
        let old = [Self.firebaseHash, Self.ssha, Self.yescrypt]
        #expect(try importing(client, old) == [:])
        for (index, password) in ["user1password", "made-up one", "made-up one"].enumerated() {
          #expect(try reason(client, index, "wrong") == "credentials.rejected")
          #expect(try hashes(client).contains(old[index]))
          #expect(try reason(client, index, password) == "right")
          #expect(try !hashes(client).contains(old[index]))
          #expect(try reason(client, index, password) == "right")
          #expect(try reason(client, index, "wrong \(index)") == "credentials.rejected")
        }
        let new = try hashes(client)
        #expect(new.count == old.count)
        #expect(new.allSatisfy { $0.hasPrefix("$argon2id$v=19$m=7168,t=5,p=1$") })
        let said = try client.call("daemon.status").get().text + regd.process.output
        #expect(!said.contains(Self.firebaseKey))
        #expect(SecretSearch.found(in: regd.directory, [Self.firebaseKey]) == [])
      }
    }
  }

  @Test("without its key, a Firebase hash is refused, and a sign-in with a stored one fails with store.unavailable")
  func withoutKey() throws {
    try withRegd { regd in
      let client = try regd.client()
      #expect(
        try importing(client, [Self.firebaseHash, Self.ssha])
          == [0: "hash.unsupported: Hashes of the scheme fbscrypt need hashing.firebaseKey in the configuration."])
    }
    try TemporaryDirectory.with { credentials in
      let file = "\(credentials)/hashing-firebaseKey"
      try TextFile.write(Self.firebaseKey, to: file)
      try withRegd(["CREDENTIALS_DIRECTORY": credentials]) { regd in
        #expect(try importing(try regd.client(), [Self.firebaseHash]) == [:])
        FileSystem.remove(file)
        try regd.restart(after: 15)
        let client = try regd.client()
        for password in ["user1password", "wrong"] {
          #expect(try reason(client, 0, password) == "store.unavailable")
        }
        regd.process.end()
        #expect(regd.process.output.contains("need hashing.firebaseKey in the configuration"))
      }
    }
  }

  @Test("a libcrypto that cannot be loaded does not stop the start: only hashes that need it are refused")
  func library() throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write("no library", to: "\(directory)/libcrypto.so.3")
      try withRegd(["LD_LIBRARY_PATH": directory]) { regd in
        let client = try regd.client()
        let refused = try importing(client, [Self.ssha, Self.yescrypt])
        #expect(Array(refused.keys) == [0])
        let says = try #require(refused[0])
        #expect(
          says.hasPrefix("hash.unsupported: Hashes of this scheme need libcrypto, which cannot be loaded: "), "\(says)")
        #expect(try reason(client, 1, "made-up one") == "right")
      }
    }
  }
}
