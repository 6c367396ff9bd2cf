import Localization
import Testing

@Suite("Reviews of catalogues")
struct CatalogReviewTests {
  @Test(
    "a review remarks on these flaws of a translation",
    arguments: [
      ("es", "email.tooLong", "Demasiado larga.", "{limit} is missing"),
      ("ru", "email.tooLong", "{limit, plural, one {#} other {#}}", "lacks few, many"),
      (
        "es", "email.tooLong", "{limit, plural, one {#} few {#} many {#} other {#}}",
        "has few, which no whole number uses"
      ),
      ("zh", "email.tooLong", "{limit, plural, one {#} other {#}}", "has one"),
      ("es", "email.space", " Sin espacios.", "begins with a space"),
      ("es", "email.space", "Sin. ", "ends with a space"),
      ("es", "email.space", "Sin \"espacios\".", "straight quotation marks"),
      ("ar", "email.space", "بدون ABC شيء", "has \"ABC\" without isolates"),
      (
        "ar", "email.tooLong", "{limit, plural, zero {#} one {1 ا} two {ا} few {#} many {#} other {#}}",
        "has \"1\" without"
      ),
    ])
  func remarks(tag: String, key: String, text: String, says: String) throws {
    let review = CatalogReview([CatalogEntry(key: key, text: text, line: 3)], as: try #require(LanguageTag(tag)))
    #expect(review.remarks.map(\.key) == [key], "\(review.remarks)")
    #expect(review.remarks.first?.line == 3)
    #expect(review.remarks.first?.message.contains(says) == true, "\(review.remarks)")
    #expect(review.missing.count == EveryMessage.keys.count - 1)
  }

  @Test(
    "a review has no remarks on a good translation",
    arguments: [
      ("es", "email.tooLong", "Como mucho {limit} bytes."), ("ar", "email.space", "بدون \u{2068}ABC 1\u{2069} شيء"),
      ("he", "email.tooLong", "{limit, plural, one {#} two {#} other {#}}"),
      ("es", "email.tooLong", "{limit, plural, =0 {} one {#} many {#} other {#}}"),
    ])
  func good(tag: String, key: String, text: String) throws {
    let review = CatalogReview([CatalogEntry(key: key, text: text, line: 3)], as: try #require(LanguageTag(tag)))
    #expect(review.remarks.isEmpty, "\(review.remarks)")
  }
}
