import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing
import WireProtocols

/// Lists whose elements together are larger than a result may be.
@Suite("Pages", .timeLimit(.minutes(5)))
struct PageTests {
  /// The smallest limit that a configuration may set.
  private static let limits = Limits(responseBytes: 65_536)
  /// 64 names with 32 characters each.
  private static let groups = (0..<Groups.most).map { "\($0 + 10)" + String(repeating: "x", count: 30) }
  private static let list = "[" + groups.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  private static let domain = String(repeating: String(repeating: "d", count: 60) + ".", count: 3) + "example.com"

  private static func entry(_ email: String) -> String {
    #""email":"\#(email)","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
  }

  /// Registers addresses with about 200 characters.
  private func register(_ numbers: Range<Int>, _ subject: Subject) async {
    for number in numbers {
      _ = await subject.call("registration.register", "{\(Self.entry("n\(number)@\(Self.domain)"))}", uid: 7)
    }
  }

  /// The elements of all pages of a list.
  private func all(
    _ subject: Subject, _ method: String, _ member: String, _ params: String = "\"limit\":1000"
  ) async throws -> [JSONValue] {
    var (elements, pages, after): ([JSONValue], Int, String) = ([], 0, "")
    repeat {
      let page = try await subject.outcome(method, "{\(params)\(after)}")
      let found = try #require(page[member]?.array, "\(method): \(page.text.prefix(200))")
      #expect(!found.isEmpty, "\(method)")
      elements += found
      pages += 1
      after = page["next"].map { ",\"after\":\($0.text)" } ?? ""
    } while !after.isEmpty
    #expect(pages > 1, "\(method)")
    return elements
  }

  @Test("accounts with many groups, and their audit entries, are listed on several pages, each element once")
  func accounts() async throws {
    let subject = Subject(limits: Self.limits)
    let records = (0..<100).map { #"{"email":"a\#($0)@example.com","passwordHash":"*","groups":\#(Self.list)}"# }
    let imported = try await subject.outcome(
      "account.import", "{\"records\":[\(records.joined(separator: ","))]}")
    #expect(imported["imported"]?.integer == 100)
    let entries = try await all(subject, "events.list", "events")
    #expect(entries.compactMap { $0["entry"]?.integer } == Array(1...200))
    let emails = Set((0..<100).map { "a\($0)@example.com" })
    for (method, member) in [("account.list", "accounts"), ("account.export", "records")] {
      let found = try await all(subject, method, member)
      #expect(found.count == 100 && Set(found.compactMap { $0["email"]?.string }) == emails, "\(method)")
    }
  }

  @Test("account.list returns an empty page with next while its search goes on, and then finds the accounts")
  func searched() async throws {
    let subject = Subject()
    let (early, late) = (Fixtures.time, Fixtures.time.advanced(by: .seconds(1)))
    var accounts = (0..<PageBounds.searched + 1000).map {
      Fixtures.account("a\($0)@example.com", state: .disabled, time: early)
    }
    accounts.append(Fixtures.account("b@example.com", time: late))
    for index in accounts.indices {
      accounts[index].account.groups = Groups([try #require(GroupName("staff"))]) ?? .none
    }
    _ = try await subject.store.importing(accounts, Stamp(early))
    for params in [#""state":"active""#, #""state":"active","group":"staff""#] {
      let first = try await subject.outcome("account.list", "{\(params)}")
      #expect(first["accounts"]?.array == [])
      let next = try #require(first["next"]?.text, "\(params)")
      let second = try await subject.outcome("account.list", "{\(params),\"after\":\(next)}")
      #expect(second["accounts"]?.array?.map { $0["email"]?.string } == ["b@example.com"], "\(params)")
      #expect(second["next"] == nil)
    }
  }

  @Test("group.list ends a page early after very many members, with next, and counts every group exactly")
  func counted() async throws {
    let subject = Subject()
    let names = try (0..<Groups.most).map { try #require(GroupName("g\($0 + 10)")) }
    let accounts = (0..<2000).map { number in
      var stored = Fixtures.account("a\(number)@example.com")
      stored.account.groups = Groups(names) ?? .none
      return stored
    }
    _ = try await subject.store.importing(accounts, Stamp(Fixtures.time))
    let first = try await subject.outcome("group.list", "{}")
    #expect(first["groups"]?.array?.count == 50)
    let found = try await all(subject, "group.list", "groups")
    #expect(found.compactMap { $0["name"]?.string } == names.map(\.description))
    #expect(found.allSatisfy { $0["members"]?.integer == 2000 })
  }

  @Test("invitations with many groups are listed on several pages, each once")
  func invitations() async throws {
    let subject = Subject(limits: Self.limits)
    var ids: Set<String> = []
    for _ in 0..<60 {
      let made = try await subject.outcome("invitation.create", "{\"groups\":\(Self.list)}")
      ids.insert(try #require(made["invitation"]?["id"]?.string))
    }
    let found = try await all(subject, "invitation.list", "invitations")
    #expect(found.count == 60 && Set(found.compactMap { $0["id"]?.string }) == ids)
  }

  @Test("groups with long names are listed on several pages, each once")
  func groups() async throws {
    let subject = Subject(limits: Self.limits)
    let names = (0..<1280).map { "\($0 + 1000)" + String(repeating: "x", count: 28) }
    let records = (0..<20).map { number in
      let groups = names[number * 64..<(number + 1) * 64].map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"email":"a\#(number)@example.com","passwordHash":"*","groups":[\#(groups)]}"#
    }
    _ = await subject.call("account.import", "{\"records\":[\(records.joined(separator: ","))]}")
    let found = try await all(subject, "group.list", "groups")
    #expect(found.compactMap { $0["name"]?.string } == names)
  }

  @Test("claims and mails with long addresses are listed on several pages, each once")
  func claims() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true), limits: Self.limits)
    await register(0..<250, subject)
    let claims = try await all(subject, "claim.list", "claims")
    #expect(claims.count == 250 && Set(claims.compactMap { $0["id"]?.string }).count == 250)
    let mails = try await all(subject, "mail.list", "waiting")
    #expect(mails.count == 250 && Set(mails.compactMap { $0["id"]?.string }).count == 250)
  }

  @Test("registrations that wait for the upstream are listed on several pages, each once")
  func outbox() async throws {
    let subject = Subject(
      network: ScriptedNetwork(Script(register: [.init(.fault(.timeout))])), limits: Self.limits)
    await register(0..<250, subject)
    let found = try await all(subject, "outbox.list", "waiting")
    #expect(found.count == 250 && Set(found.compactMap { $0["id"]?.string }).count == 250)
  }

  @Test("an owner exports a history that is larger than a result, each entry once, with the account on each page")
  func export() async throws {
    let subject = Subject(limits: Self.limits)
    _ = await subject.call("registration.register", "{\(Self.entry("a@example.com"))}", uid: 7)
    for number in 0..<60 {
      let method = number % 2 == 0 ? "account.addGroups" : "account.removeGroups"
      _ = await subject.call(method, #"{"email":"a@example.com","groups":\#(Self.list)}"#)
    }
    let who = #""email":"a@example.com","password":"a fine phrase""#
    let found = try await all(subject, "owner.export", "audit", who)
    #expect(found.compactMap { $0["entry"]?.integer } == Array(1...61))
    let last = try await subject.outcome("owner.export", "{\(who),\"after\":60}")
    #expect(last["account"]?["email"]?.string == "a@example.com" && last["next"] == nil)
  }
}
