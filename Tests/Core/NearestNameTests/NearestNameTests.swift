import Testing

@testable import NearestName

@Suite("Nearest name")
struct NearestNameTests {
  @Test("the nearest key")
  func nearest() {
    #expect(NearestName.distance("kitten".utf8, "sitting".utf8) == 3)
    #expect(NearestName.distance("".utf8, "abc".utf8) == 3)
    #expect(NearestName.find("x", among: []) == nil)
    #expect(NearestName.find("mistyped", among: ["missing", "mistaken", "misty"]) == "mistaken")
  }

  @Test(
    "of a name that is longer than any, its beginning is compared: megabytes of a file take no time",
    .timeLimit(.minutes(1)))
  func long() {
    let name = "account.lost" + String(repeating: "x", count: 2 << 20)
    #expect(NearestName.find(name, among: (0..<1000).map { "key\($0)" } + ["account.list"]) != nil)
  }
}
