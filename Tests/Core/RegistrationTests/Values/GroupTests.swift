import Testing

@testable import Registration

@Suite("Groups")
struct GroupNameTests {
  private func names(_ texts: String...) -> [GroupName] { texts.compactMap { GroupName($0) } }

  @Test(
    "a text that breaks the rule of group names is none",
    arguments: [
      "", ".", "-a", "_a", ".a", "A", "aB", "a b", "a,b", "a/b", "é", "a\n", "a\u{0}",
      String(repeating: "a", count: 33),
    ])
  func refused(_ text: String) {
    #expect(GroupName(text) == nil)
  }

  @Test("a group name has lower-case letters, digits, dots, underscores and hyphens, 32 at most")
  func accepted() {
    for text in ["a", "0", "staff", "a.b_c-1", "9-", String(repeating: "z", count: 32)] {
      #expect(GroupName(text)?.description == text)
    }
  }

  @Test("groups are sorted by bytes, each once, and at most 64")
  func sorted() throws {
    let groups = try #require(Groups(names("b", "a-", "a", "b", "a.", "a0", "aa")))
    #expect(groups.names.map(\.description) == ["a", "a-", "a.", "a0", "aa", "b"])
    let many = (0..<65).compactMap { GroupName("g\($0)") }
    #expect(Groups(many.prefix(64)) != nil && Groups(many) == nil && Groups(many.prefix(64) + many.prefix(9)) != nil)
  }

  @Test("groups and changes are read as they were stored, and any other text is refused")
  func stored() throws {
    let (old, new) = (try #require(Groups(names("a", "b"))), try #require(Groups(names("b", "c", "d"))))
    let text = try #require(new.stored)
    #expect(Groups.none.stored == nil && text == "b c d" && Groups(stored: text) == new)
    for text in ["", " ", "b a", "a  b", "a a", "a,b", "A"] { #expect(Groups(stored: text) == nil, "\(text)") }
    let change = GroupChange(from: old, to: new)
    #expect(change.stored == "+c +d -a" && GroupChange(stored: change.stored) == change)
    #expect(GroupChange(stored: GroupChange(from: new, to: old).stored)?.removed == names("c", "d"))
    for text in ["+", "a", "-a +b", "+a  -b", "*a"] { #expect(GroupChange(stored: text) == nil, "\(text)") }
  }

  @Test("an account meets a requirement if it is in one group of each list, and an empty list requires nothing")
  func requirement() throws {
    let groups = try #require(Groups(names("a", "b")))
    let (a, c, bc) = (names("a"), names("c"), names("b", "c"))
    #expect(GroupRequirement().isMet(by: .none) && GroupRequirement([], []).isMet(by: .none))
    #expect(!GroupRequirement(a).isMet(by: .none) && !GroupRequirement(c).isMet(by: groups))
    #expect(GroupRequirement(bc, a).isMet(by: groups) && !GroupRequirement(bc, c).isMet(by: groups))
    #expect(GroupRequirement(a, bc).text != GroupRequirement(a + bc).text)
  }
}
