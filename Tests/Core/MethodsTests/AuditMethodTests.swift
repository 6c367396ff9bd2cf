import Methods
import PasswordHashing
import RegdClient
import Registration
import TestDoubles
import Testing
import WireProtocols

@Suite("Methods of the audit's tree")
struct AuditMethodTests {
  private let cryptography = SodiumAuditCryptography()

  private func outcome(_ subject: Subject, _ method: String, _ params: String) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params))
  }

  /// A subject with this many accounts, each with one entry.
  private func subject(_ accounts: Int) async throws -> Subject {
    let subject = Subject()
    for number in 0..<accounts {
      let account = Fixtures.account("n\(number)@example.com")
      let stamp = Stamp(
        Fixtures.time, by: Requester(uid: 33, pid: 4, origin: number % 2 == 0 ? Origin("1.2.3.\(number)") : nil))
      _ = try await subject.store.insert(account, request: nil, stamp)
    }
    return subject
  }

  private func bytes(_ value: JSONValue?) throws -> [UInt8] {
    // the methods themselves encode with the module WireFormats, which is not part of this test
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let text = try #require(value?.string)
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for digit in text.utf8 where digit != UInt8(ascii: "=") {
      bits = (bits << 6 | (try #require(alphabet.firstIndex(of: digit)))) & 0xFFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    #expect(text.utf8.count == (bytes.count + 2) / 3 * 4)
    return bytes
  }

  /// The bytes of an entry's leaf, from what `events.list` returns.
  private func leaf(_ event: JSONValue) throws -> String {
    guard case .object(let members) = event else { throw Unexpected() }
    let kept = members.filter { !["email", "origin", "salt"].contains($0.name) }.sorted { $0.name < $1.name }
    return JSONValue.object(kept).text
  }

  private struct Unexpected: Error {}

  @Test(
    "a size beyond the tree, an unknown entry and a larger first tree are rpc.invalidParams, with the parameter's name")
  func refused() async throws {
    let subject = try await subject(3)
    for (method, params, field) in [
      ("audit.prove", #"{"entry":1,"size":4}"#, "size"), ("audit.prove", #"{"entry":1,"size":-1}"#, "size"),
      ("audit.prove", #"{"entry":4,"size":3}"#, "entry"), ("audit.prove", #"{"entry":3,"size":2}"#, "entry"),
      ("audit.prove", #"{"entry":0,"size":3}"#, "entry"), ("audit.prove", #"{"entry":1,"size":0}"#, "entry"),
      ("audit.prove", #"{"size":3}"#, "entry"), ("audit.prove", #"{"entry":"1","size":3}"#, "entry"),
      ("audit.prove", #"{"entry":9223372036854775807,"size":3}"#, "entry"),
      ("audit.consistency", #"{"from":1,"to":4}"#, "to"), ("audit.consistency", #"{"from":2,"to":1}"#, "from"),
      ("audit.consistency", #"{"from":-1,"to":1}"#, "from"), ("audit.consistency", #"{"from":1,"to":-1}"#, "to"),
      ("audit.consistency", #"{"from":1}"#, "to"), ("audit.head", #"{"size":1}"#, "size"),
    ] {
      let reply = try #require(JSONValue(await subject.call(method, params).utf8)?["error"])
      #expect(reply["data"]?["reason"]?.string == "rpc.invalidParams", "\(method) \(params)")
      #expect(reply["data"]?["field"]?.string == field, "\(method) \(params): \(reply.text)")
    }
  }

  @Test("the head of an empty audit has the root of an empty tree")
  func empty() async throws {
    let head = try await outcome(try await subject(0), "audit.head", "null")
    #expect(head["size"]?.integer == 0)
    #expect(try bytes(head["root"]) == cryptography.digest([]))
  }

  @Test("a head is signed with the store's key, over size, root and time as canonical JSON")
  func signed() async throws {
    let subject = try await subject(3)
    let head = try await outcome(subject, "audit.head", "{}")
    let root = try #require(head["root"]?.string)
    let message = "{\"root\":\"\(root)\",\"size\":3,\"time\":\"\(Fixtures.time.rfc3339)\"}"
    let seed = subject.store.keys.audit
    #expect(head["time"]?.string == Fixtures.time.rfc3339)
    #expect(try bytes(head["key"]) == cryptography.publicKey(of: seed))
    #expect(try bytes(head["signature"]) == cryptography.signature(of: Array(message.utf8), by: seed))
    guard case .object(let members) = head else { throw Unexpected() }
    #expect(members.map(\.name) == ["size", "root", "time", "key", "signature"])
  }

  @Test("a key that the configuration gives signs heads instead of the store's")
  func given() async throws {
    let (subject, key) = (try await subject(1), CodeKey.random())
    let head = try await subject.administrator.auditor { key }.head()
    #expect(
      head.key == cryptography.publicKey(of: key) && head.key != cryptography.publicKey(of: subject.store.keys.audit))
  }

  @Test("the tree of the leaves that events.list returns has the root of the head, also for observers")
  func leaves() async throws {
    let subject = try await subject(5)
    _ = try await outcome(
      subject, "account.addGroups", #"{"email":"n0@example.com","groups":["b","a"]}"#)
    _ = try await outcome(subject, "invitation.create", "{}")
    let head = try await outcome(subject, "audit.head", "{}")
    let listed = [
      try await outcome(subject, "events.list", "{}"),
      try JSONValue.outcome(await subject.talk(uid: 7, access: .observe).call("events.list", "{}").last ?? ""),
    ]
    for page in listed {
      let leaves = try (page["events"]?.array ?? []).map { Array(try leaf($0).utf8) }
      #expect(head["size"]?.integer == leaves.count && leaves.count == 7)
      #expect(try bytes(head["root"]) == AuditVerifier(cryptography).root(leaves[...]))
    }
    let entries = listed[0]["events"]?.array ?? []
    for entry in entries where entry["email"] != nil {
      let origin = entry["origin"]?.string.map { ",\"origin\":\"\($0)\"" } ?? ""
      let hidden = "{\"email\":\"\(entry["email"]?.string ?? "")\"\(origin)}"
      #expect(
        try bytes(entry["commitment"]) == cryptography.digest(try bytes(entry["salt"]) + Array(hidden.utf8)),
        "\(entry.text)")
    }
    #expect(entries.last?["commitment"] == nil && entries.last?["invitation"] != nil)
  }

  @Test("every entry has an inclusion proof for every head, and every head begins with every earlier one")
  func proofs() async throws {
    let subject = try await subject(0)
    let verifier = AuditVerifier(cryptography)
    var roots = [cryptography.digest([])]
    for number in 1...9 {
      _ = try await subject.store.insert(
        Fixtures.account("n\(number)@example.com"), request: nil, Stamp(Fixtures.time))
      roots.append(try bytes(try await outcome(subject, "audit.head", "{}")["root"]))
    }
    for size in 1...9 {
      for entry in 1...size {
        let proof = try await outcome(subject, "audit.prove", "{\"entry\":\(entry),\"size\":\(size)}")
        let inclusion = AuditInclusion(
          index: try #require(proof["index"]?.integer), leaf: Array(try #require(proof["leaf"]?.string).utf8),
          path: try (proof["path"]?.array ?? []).map(bytes))
        #expect(inclusion.index == entry - 1 && verifier.verify(inclusion, in: size, roots[size]))
      }
      for from in 0...size {
        let path = try await outcome(subject, "audit.consistency", "[\(from),\(size)]")["path"]?.array ?? [.null]
        #expect(from == size ? path.isEmpty : true)
        #expect(
          verifier.verify(try path.map(bytes), from: (from, roots[from]), to: (size, roots[size])),
          "from \(from) to \(size)")
      }
    }
  }

  @Test("if the store fails, the methods fail as lists do")
  func failing() async throws {
    let subject = Subject(failing: 1)
    #expect(try await outcome(subject, "audit.head", "{}").string == "store.readOnly")
  }
}
