import RegdClient
import RegdProcesses
import RehearsedMailServer
import TestDoubles
import TestKit

/// The checks at the end of a run.
extension AdversaryRun {
  mutating func check() throws {
    try checkOwners()
    try checkDoors()
    try server.play(.works)
    try sendAll()
    try checkMails()
    try checkSecrets()
  }

  /// Each owner signs in from where the address was verified, and no other accounts exist.
  private mutating func checkOwners() throws {
    for address in owned.keys {
      let caller = try RawCaller(regd.socket, as: Self.owner)
      try caller.send(
        Array(
          #"""
          {"jsonrpc":"2.0","id":1,"method":"session.signIn","params":{"email":"\#(address)","password":"\#(Phrase.owner)","origin":"\#(Self.home(of: address))"}}
          """#.utf8))
      let reply = Reply(text: try found(try caller.readLine(), "no answer"))
      expect(reply.isResult, "the owner of \(address) was answered \(reply.text)")
    }
    let accounts = try regd.client().call("account.list", ["limit": .number("1000")]).get()["accounts"]?.array ?? []
    let emails = accounts.compactMap { $0["email"]?.string }.filter { $0 != DoorVisits.searcher }.sorted()
    expect(emails == owned.keys.sorted(), "there are accounts of \(emails)")
  }

  /// Retries until no mail waits.
  private func sendAll() throws {
    let client = try regd.client()
    repeat {
      _ = try client.call("mail.retry", [:])
    } while try client.call("mail.list").get()["waiting"]?.array?.isEmpty
      == false
  }

  /// The newest code for an address, which belongs to the latest claim.
  func code(sentTo address: String) throws -> String {
    try sendAll()
    let newest = server.ledger.mails(to: address).max { ($0.messageID ?? "") < ($1.messageID ?? "") }
    return try found(newest?.code, "no code was mailed to \(address)")
  }

  /// Each intent within the bounds of its address has a mail, and each mail has one Message-ID, however often it was
  /// sent.
  private mutating func checkMails() throws {
    let query = "SELECT id, state, email, coalesce(claim_id, '') FROM mail"
    let table = try database?.query(query) ?? Program.run(["sqlite3", regd.database, query], in: regd.directory)
    let rows = table.split(separator: "\n").map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
    let mails = server.ledger.mails
    let seen = Dictionary(grouping: mails) { $0.messageID?.dropFirst().split(separator: "@").first.map(String.init) }
    for address in Set(claims.map(\.email)) {
      let count = rows.count { $0[2] == address }
      let asked = intents[address] ?? 0
      expect(count <= asked, "\(address) has \(count) mails of \(asked) intents")
      expect(count > 0 || asked == 0, "\(address) has no mail of \(asked) intents")
    }
    for row in rows where row[1] == "sent" { expect(seen[row[0]] != nil, "\(row) was not handed over") }
    // A mail that was handed over without an answer may have lost its claim afterwards.
    let known = Set(rows.filter { $0[1] == "sent" || $0[1] == "outdated" }.map { $0[0] })
    for (id, copies) in seen {
      expect(id.map { known.contains($0) } == true, "\(id ?? "no id") is no mail that was asked for")
      let sorts = Set(copies.map { $0.recipients + $0.fields("Date") + $0.fields("Subject") })
      expect(sorts.count == 1, "\(id ?? "") is several mails: \(sorts)")
      expect(Set(copies.map(\.code)).count == 1, "\(id ?? "") has two codes")
    }
    // Every mail of a claim has the same code while the claim exists and no incorrect code has ended the code.
    for (claim, mails) in Dictionary(grouping: rows, by: { $0[3] }) where !claim.isEmpty && guesses.hasOneCode(claim) {
      expect(Set(mails.flatMap { seen[$0[0]] ?? [] }.map(\.code)).count <= 1, "\(claim) has two codes")
    }
    expect(mails.count > seen.count, "no mail was handed over twice")
    let complaints = server.ledger.complaints
    expect(complaints.isEmpty, "\(complaints)")
  }

  /// Checks that regd has written and returned no code. At the end, `withRegd` checks the same for passwords.
  private mutating func checkSecrets() throws {
    try TextFile.write(replies.joined(separator: "\n"), to: "\(regd.directory)/replies")
    let codes = Set(server.ledger.mails.compactMap(\.code))
    expect(!codes.isEmpty, "no code was mailed")
    let found = SecretSearch.found(in: regd.directory, codes.sorted())
    expect(found.isEmpty, "codes were written: \(found)")
  }
}

extension ReceivedMail {
  /// The code, which has a separate line. A long one is grouped by hyphens.
  fileprivate var code: String? {
    (text ?? "").split(separator: "\n").map { $0.filter { $0 != " " && $0 != "-" } }.first {
      [CodeGuesses.digits, CodeGuesses.longDigits].contains($0.utf8.count) && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
  }
}

enum Phrase {
  static let owner = "a fine phrase of the owner"
  static let attacker = "another phrase of mine"
}

struct Reply {
  let text: String

  var result: JSONValue? { JSONValue(text.utf8)?["result"] }
  var isResult: Bool { result != nil }
  var reason: String? { JSONValue(text.utf8)?["error"]?["data"]?["reason"]?.string }
  var attemptsLeft: Int? { JSONValue(text.utf8)?["error"]?["data"]?["attemptsLeft"]?.integer }
  /// The number of digits of the code of the claim in the reply.
  var digits: Int { result?["claim"]?["codeDigits"]?.integer ?? CodeGuesses.digits }
}
