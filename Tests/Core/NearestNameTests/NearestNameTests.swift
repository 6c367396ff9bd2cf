import Testing

@testable import NearestName

@Suite("Nearest name")
struct NearestNameTests {
  @Test("the nearest key")
  func nearest() {
    #expect(NearestName.distance("kitten", "sitting") == 3)
    #expect(NearestName.distance("", "abc") == 3)
    #expect(NearestName.find("x", among: []) == nil)
  }
}
