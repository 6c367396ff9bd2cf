import Registration
import Testing

@testable import HTTPNetwork

@Suite("Retry-After")
struct RetryAfterTests {
  private func seconds(_ text: String?, _ now: String = "1994-11-06T08:49:07.000000Z") throws -> Int? {
    RetryAfter.seconds(text, now: try #require(Timestamp(rfc3339: now)))
  }

  @Test(
    "Retry-After accepts seconds and limits them to one day",
    arguments: [
      ("0", 0), ("1", 1), ("007", 7), ("86399", 86_399), ("86400", 86_400), ("86401", 86_400),
      ("9223372036854775807", 86_400), ("99999999999999999999999999", 86_400),
    ])
  func digits(_ text: String, _ expected: Int) throws { #expect(try seconds(text) == expected) }

  @Test(
    "Retry-After accepts the three forms of an HTTP date",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func dates(_ text: String) throws {
    #expect(try seconds(text) == 30)
    #expect(try seconds(text, "1994-11-06T08:49:36.999999Z") == 1)
    #expect(try seconds(text, "1994-11-06T08:49:37.000000Z") == 0)
    #expect(try seconds(text, "1994-11-06T08:49:38.000000Z") == 0)
    #expect(try seconds(text, "2026-11-06T08:49:38.000000Z") == 0)
    #expect(try seconds(text, "1994-11-05T08:49:38.000000Z") == 86_399)
    #expect(try seconds(text, "1990-11-05T08:49:38.000000Z") == 86_400)
  }

  @Test("Retry-After reads two-digit days, leap days and leap seconds")
  func calendar() throws {
    #expect(try seconds("Wed Nov 16 00:00:00 1994", "1994-11-15T23:59:00.000000Z") == 60)
    #expect(try seconds("Thu, 29 Feb 2024 00:00:10 GMT", "2024-02-29T00:00:00.000000Z") == 10)
    #expect(try seconds("Sat, 31 Dec 2016 23:59:60 GMT", "2016-12-31T23:59:49.000000Z") == 10)
    #expect(try seconds("Thu, 29 Feb 2023 00:00:10 GMT", "2023-02-28T00:00:00.000000Z") == nil)
  }

  @Test(
    "a two-digit year in Retry-After is at most 50 years in the future",
    arguments: [("76", 86_400), ("77", 0), ("26", 0), ("27", 86_400), ("00", 0)])
  func years(_ digits: String, _ expected: Int) throws {
    #expect(try seconds("Sunday, 06-Nov-\(digits) 08:49:37 GMT", "2026-11-21T00:00:00.000000Z") == expected)
  }

  @Test(
    "any other Retry-After value is ignored",
    arguments: [
      nil, "", " ", "-1", "+1", "1.5", "1e3", "0x10", "7 ", "7s", "soon", "Mon", "GMT", "08:49:37", "1994-11-06",
      "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-9x 08:49:37 GMT",
      "Sun Nov 06 08:49:37 94", "Sun Nov   6 08:49:37 1994", "Sun Nov 6 08:49:37 1994",
      "Sun, 06 Nov 1994  08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "\u{0661}",
    ])
  func garbage(_ text: String?) throws { #expect(try seconds(text) == nil) }
}
