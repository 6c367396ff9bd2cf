import Testing

@testable import NearestName

@Suite("Nearest name")
struct NearestNameTests {
  @Test("NearestName finds the name with the smallest edit distance")
  func nearest() {
    #expect(NearestName.distance("kitten".utf8, "sitting".utf8) == 3)
    #expect(NearestName.distance("".utf8, "abc".utf8) == 3)
    #expect(NearestName.find("x", among: []) == nil)
    #expect(NearestName.find("mistyped", among: ["missing", "mistaken", "misty"]) == "mistaken")
  }

  @Test("NearestName suggests a name only if it is close to the typed one")
  func close() {
    let names = ["socket", "limits", "mail", "doors", "store.backend"]
    for (typed, close) in [
      ("limit", "limits"), ("sockt", "socket"), ("mails", "mail"), ("store.backnd", "store.backend"), ("color", nil),
      ("x", nil), ("", nil), ("network.http.baseURL", nil),
    ] as [(String, String?)] {
      #expect(NearestName.findClose(typed, among: names) == close, "\(typed)")
    }
  }

  @Test(
    "NearestName compares only the beginning of a very long name, so megabytes take little time",
    .timeLimit(.minutes(1)))
  func long() {
    let name = "account.lost" + String(repeating: "x", count: 2 << 20)
    #expect(NearestName.find(name, among: (0..<1000).map { "key\($0)" } + ["account.list"]) != nil)
  }
}
