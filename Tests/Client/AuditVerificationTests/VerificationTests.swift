import Localization
import RegdClient
import Testing

@testable import AuditVerification

@Suite("Verifying an audit")
struct VerificationTests {
  /// Sizes around those at which a page, a block of the search or a complete tree ends.
  private static let sizes = [1, 2, 3, 7, 8, 1023, 1024, 1025, 2500]

  private func verify(_ audit: StoredAudit, _ heads: [HeadsFile.Line] = []) throws -> AuditReport {
    try AuditVerification(audit, heads: heads).run()
  }

  /// An audit of this size, and three places in it.
  private func stored(_ size: Int) -> (StoredAudit, places: [Int]) {
    (StoredAudit(StoredAudit.rows(size)), Set([0, size / 2, size - 1]).sorted())
  }

  @Test("a changed entry is named, wherever it is, with at most 40 proofs", arguments: sizes)
  func changed(_ size: Int) throws {
    let (audit, places) = stored(size)
    for place in places {
      let before = audit.rows
      audit.rows[place].uid = 99_999
      let proofs = audit.proofs
      let number = audit.rows[place].number
      #expect(try verify(audit).differences == [.changed(entry: number)], "\(number)")
      #expect(audit.proofs - proofs <= 40)
      audit.rows = before
    }
  }

  @Test("a removed entry is named by the entries around it", arguments: sizes)
  func removed(_ size: Int) throws {
    let (audit, places) = stored(size)
    for place in places {
      let before = audit.rows
      audit.rows.remove(at: place)
      let (after, next) = (
        place > 0 ? before[place - 1].number : nil, place + 1 < size ? before[place + 1].number : nil
      )
      #expect(try verify(audit).differences == [.missing(after: after, before: next)], "\(place)")
      audit.rows = before
    }
  }

  @Test("a removed entry is named, even if the hashes that regd kept with it are gone", arguments: [3, 7, 1025, 2500])
  func removedWithHashes(_ size: Int) throws {
    for place in Set([0, 1, 2, size / 2, 1023, 1024, size - 2]).sorted() where place < size - 1 {
      let audit = StoredAudit(StoredAudit.rows(size))
      let numbers = audit.rows.map(\.number)
      audit.remove(withHashesAt: place)
      let after = place > 0 ? numbers[place - 1] : nil
      #expect(
        try verify(audit).differences == [.missing(after: after, before: numbers[place + 1])], "\(place) of \(size)")
    }
  }

  @Test("a replaced entry is named, even if its place and hashes are gone with the original", arguments: sizes)
  func replacedWithHashes(_ size: Int) throws {
    for place in Set([0, 1, size / 2, 1023, 1024, size - 1]).sorted() where place < size {
      let audit = StoredAudit(StoredAudit.rows(size))
      let number = audit.rows[place].number
      audit.replace(withHashesAt: place, uid: 99_999)
      #expect(try verify(audit).differences == [.changed(entry: number)], "\(place) of \(size)")
    }
  }

  @Test("an entry before an added one is named if it differs, even if hashes of later entries are gone")
  func changedBeforeAdded() throws {
    for place in [4, 5, 38, 39] {
      for isChanged in [true, false] {
        let audit = StoredAudit(StoredAudit.rows(40))
        let number = audit.rows[place].number
        if place < 30 { audit.remove(withHashesAt: 35) }
        if isChanged { audit.rows[place].uid = 99_999 }
        audit.rows.insert(StoredAudit.Row(number + 1), at: place + 1)
        let expected = isChanged ? AuditDifference.changed(entry: number) : .added(entry: number + 1)
        #expect(try verify(audit).differences == [expected], "\(place) \(isChanged)")
      }
    }
  }

  @Test("if regd has lost all hashes, a changed entry is between the last head that fits and the first that does not")
  func withoutHashes() throws {
    let audit = StoredAudit(StoredAudit.rows(40))
    let heads = audit.lines(10, 20, 30)
    for index in audit.rows.indices { audit.replace(withHashesAt: index, uid: audit.rows[index].uid) }
    audit.rows[25].uid = 99_999
    #expect(
      try verify(audit, heads).differences == [
        .rewritten(after: audit.rows[19].number, through: audit.rows[29].number, line: 3),
        .changed(entry: audit.rows[0].number),
      ])
  }

  @Test("of two swapped entries, the first is named, even if their places move with them", arguments: [2, 3, 7, 1500])
  func swappedWithPlaces(_ size: Int) throws {
    for place in Set([0, 1, size / 2, 1023, size - 2]).sorted() where place < size - 1 {
      let audit = StoredAudit(StoredAudit.rows(size))
      let number = audit.rows[place].number
      audit.swap(withPlaces: place, size - 1)
      #expect(try verify(audit).differences.first == .changed(entry: number), "\(place) of \(size)")
    }
  }

  @Test("an entry that another program has added is named, wherever it is", arguments: sizes)
  func added(_ size: Int) throws {
    let (audit, places) = stored(size)
    for place in places {
      let before = audit.rows
      let number = before[place].number + 1
      audit.rows.insert(StoredAudit.Row(number), at: place + 1)
      #expect(try verify(audit).differences == [.added(entry: number)], "\(number)")
      audit.rows = before
    }
  }

  @Test("an added entry is named even if its number is the last possible one", arguments: sizes)
  func addedWithLongNumber(_ size: Int) throws {
    let (audit, _) = stored(size)
    audit.rows.append(StoredAudit.Row(.max))
    #expect(try verify(audit).differences == [.added(entry: .max)])
  }

  @Test("of two swapped entries, the first is named", arguments: sizes.dropFirst())
  func swapped(_ size: Int) throws {
    let (audit, places) = stored(size)
    for place in places where place > 0 {
      let before = audit.rows
      (audit.rows[0].number, audit.rows[place].number) = (before[place].number, before[0].number)
      audit.rows.swapAt(0, place)
      #expect(try verify(audit).differences.first == .changed(entry: before[0].number), "\(place)")
      audit.rows = before
    }
  }

  @Test(
    "entries that are cut off at the end are missing after the last one that is left", arguments: sizes.dropFirst(2))
  func cutOff(_ size: Int) throws {
    let (audit, _) = stored(size)
    audit.rows.removeLast(size / 2)
    let last = try #require(audit.rows.last?.number)
    #expect(try verify(audit).differences == [.missing(after: last, before: nil)])
    audit.rows = []
    #expect(try verify(audit).differences == [.missing(after: nil, before: nil)])
  }

  @Test("with rewritten hashes, the entries between the last head that fits and the first that does not are named")
  func rewritten() throws {
    let original = StoredAudit(StoredAudit.rows(60))
    let heads = original.lines(40, 10, 20, 60, 0)
    var rows = original.rows
    rows[27].uid = 9
    let report = try verify(StoredAudit(rows), heads)
    #expect(report.differences == [.rewritten(after: rows[19].number, through: rows[39].number, line: 1)])
    rows = original.rows
    rows.remove(at: 3)
    rows.append(StoredAudit.Row(1001))
    #expect(
      try verify(StoredAudit(rows), heads).differences
        == [.rewritten(after: 0, through: rows[9].number, line: 2)])
    #expect(try verify(StoredAudit(rows)).differences.isEmpty, "without heads, the change is not detected")
  }

  @Test("an older copy is named by the first head that is larger, and, once it has grown, by its new entries")
  func olderCopy() throws {
    let original = StoredAudit(StoredAudit.rows(60))
    let heads = original.lines(10, 40, 50)
    let copy = StoredAudit(Array(original.rows.prefix(30)))
    #expect(try verify(copy, heads).differences == [.cutOff(line: 2, size: 40, entries: 30)])
    for number in 0..<15 { copy.add(StoredAudit.Row(1001 + number)) }
    #expect(
      try verify(copy, heads).differences == [
        .rewritten(after: copy.rows[9].number, through: copy.rows[39].number, line: 2),
        .cutOff(line: 3, size: 50, entries: 45),
      ])
  }

  @Test("a changed entry and rewritten hashes before it are both named, the earlier first")
  func both() throws {
    let original = StoredAudit(StoredAudit.rows(60))
    let heads = original.lines(10, 20)
    var rows = original.rows
    rows[12].uid = 9
    let audit = StoredAudit(rows)
    audit.rows[30].uid = 9
    #expect(
      try verify(audit, heads).differences == [
        .rewritten(after: rows[9].number, through: rows[19].number, line: 2), .changed(entry: rows[30].number),
      ])
  }

  @Test("a changed or removed address does not fit its commitment, and an erased one does")
  func addresses() throws {
    let (audit, _) = stored(30)
    audit.rows[4].email = "other@example.com"
    audit.rows[5].salt[31] ^= 1
    audit.rows[7].email = nil
    let numbers = [4, 5].map { audit.rows[$0].number }
    #expect(try verify(audit).differences == numbers.map { AuditDifference.commitment(entry: $0) })
  }

  @Test("entries that regd makes meanwhile belong to the tree")
  func meanwhile() throws {
    let (audit, _) = stored(999)
    audit.later = [StoredAudit.Row(5001, email: "x@example.com"), StoredAudit.Row(5002)]
    let report = try verify(audit, audit.lines(0, 999))
    #expect(report.differences.isEmpty && report.entries == 1001 && report.head.size == 1001)
    #expect(report.root == report.head.root && report.keyChanges.isEmpty)
  }

  @Test("an empty audit fits its head, and a wrong signature is named with its line")
  func signatures() throws {
    let audit = StoredAudit([])
    #expect(try verify(audit, audit.lines(0)).differences.isEmpty)
    let good = audit.headResult(0).text
    let file = HeadsFile(Array("\(good)\n\(good.replacing("02:33:10", with: "02:33:11"))\n".utf8))
    #expect(try verify(audit, file.heads).differences == [.signature(line: 2)])
  }

  @Test("a new key is not a difference, and is reported where it begins")
  func keys() throws {
    let rows = StoredAudit.rows(9)
    let (old, new) = (StoredAudit(rows), StoredAudit(rows, seed: 2))
    let file = HeadsFile(
      Array([old.headResult(3), old.headResult(4), new.headResult(5)].map { $0.text + "\n" }.joined().utf8))
    let report = try verify(new, file.heads)
    #expect(report.differences.isEmpty && report.keyChanges.map(\.line) == [3])
    #expect(try verify(old, file.heads).keyChanges.map(\.line) == [3, nil])
  }

  @Test("every difference has a message with its entries, and an object for programs")
  func shown() {
    let all: [(AuditDifference, text: String, json: String)] = [
      (.changed(entry: 7), "entry 7 differs", #"{"kind":"changed","entry":7}"#),
      (.added(entry: 7), "entry 7 is not in the tree", #"{"kind":"added","entry":7}"#),
      (.missing(after: 6, before: 8), "after entry 6, before entry 8", #"{"kind":"missing","after":6,"before":8}"#),
      (.missing(after: 6, before: nil), "after entry 6", #"{"kind":"missing","after":6}"#),
      (.missing(after: nil, before: 8), "before entry 8", #"{"kind":"missing","before":8}"#),
      (.missing(after: nil, before: nil), "all entries", #"{"kind":"missing"}"#),
      (
        .rewritten(after: 3, through: 9, line: 2), "after entry 3, up to entry 9",
        #"{"kind":"rewritten","after":3,"through":9,"line":2}"#
      ),
      (
        .cutOff(line: 2, size: 9, entries: 8), "in line 2 has 9 entries",
        #"{"kind":"cutOff","line":2,"size":9,"entries":8}"#
      ),
      (.commitment(entry: 7), "entry 7: the address", #"{"kind":"commitment","entry":7}"#),
      (.signature(line: 2), "in line 2 is wrong", #"{"kind":"signature","line":2}"#),
      (.signature(line: nil), "present head is wrong", #"{"kind":"signature"}"#),
      (
        .notLocated(AuditFailure.noAnswer(.disconnected).sentence), "closed the connection", #"{"kind":"notLocated"}"#
      ),
    ]
    for (difference, text, json) in all {
      #expect(difference.sentence.english.contains(text), "\(difference)")
      #expect(difference.json.text == json)
    }
  }
}
