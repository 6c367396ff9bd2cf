import Localization
import Testing

@Suite("Languages")
struct LanguagesTests {
  private enum Said: String, MessageKey {
    case here = "said.here: here"
    case own = "said.own: own English"
    case rare = "said.rare: rare English"
  }

  private static func catalog(_ tag: String, _ texts: [String: String] = [:]) throws -> MessageCatalog {
    MessageCatalog(
      try #require(LanguageTag(tag)),
      texts: try texts.merging(["said.here": tag]) { own, _ in own }.mapValues { try Template($0) })
  }

  private static func languages(_ tags: [String], standard: String = "en") throws -> Languages {
    Languages(catalogs: try tags.map { try catalog($0) }, standard: try #require(LanguageTag(standard)))
  }

  @Test(
    "Languages finds nil for a list without an available language",
    arguments: [
      "", " ", ",", ";", "fr", "*", "*;q=0.5", "es;q=0", "es;q=0.000", "es-MX, es;q=0", "pt", "e", "ar-", "-ar", "a_r",
      "ar;", "ar;q", "ar;q=", "ar;q=2", "ar;q=1.001", "ar;q=0.1234", "ar;q=.5", "ar;q=0,5", "ar;q=-1", "ar;level=1",
      "ar;q=1;q=1", "ar ar", "ar\n", "العربية", "*-ar", "i-ar", String(repeating: "ar,", count: 86),
      "ar-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaa",
    ])
  func none(ranges: String) throws {
    #expect(try Self.languages(["ar", "es", "pt-BR", "zh"]).language(for: ranges)?.tag == nil)
  }

  @Test("Languages finds nil without a list") func absent() throws {
    #expect(try Self.languages(["ar"]).language(for: nil)?.tag == nil)
  }

  @Test(
    "a range is shortened until it matches a language (RFC 4647, section 3.4)",
    arguments: [
      ("es", "es"), ("ES", "es"), ("es-mx", "es-MX"), ("es-AR", "es"), ("zh-Hant-TW", "zh"),
      ("zh-Hant-CN-x-private", "zh"),
      ("pt-br", "pt-BR"), ("en-GB", "en"), ("en", "en"), ("es-*", "es"), ("es-*-MX", "es-MX"),
      (String(repeating: "ar,", count: 85), "ar"), ("ar-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaa", "ar"),
    ])
  func plainer(ranges: String, tag: String) throws {
    #expect(try Self.languages(["ar", "es", "es-MX", "pt-BR", "zh"]).language(for: ranges)?.tag.description == tag)
  }

  @Test(
    "weights take precedence over the order of a list, and q=0 excludes a language (RFC 9110, section 12.5.4)",
    arguments: [
      ("fr, zh, es", "zh"), ("es;q=0.5, zh", "zh"), ("es;q=0.5,zh;q=0.5", "es"), ("ar;q=0.001,es;q=0.01", "es"),
      ("es ; q=0.3 ,\tzh;Q=0.4", "zh"), ("*, es", "es"), ("es;q=2, zh", "zh"), ("es-MX;q=0, es", "es"),
      ("es-AR, zh;q=0.1, es;q=0", "zh"), ("ar;q=1.000, es;q=1", "ar"), ("da, en-GB;q=0.8, en;q=0.7", "en"),
    ])
  func weighted(ranges: String, tag: String) throws {
    #expect(try Self.languages(["ar", "es", "es-MX", "zh"]).language(for: ranges)?.tag.description == tag)
  }

  @Test("a missing text comes from the more general language, then the operator's language, then English")
  func chain() throws {
    let own = try Self.catalog("es-MX")
    let plainer = try Self.catalog("es", ["said.own": "propia"])
    let standard = try Self.catalog("pt", ["said.own": "própria", "said.rare": "rara"])
    func said(_ key: Said, _ ranges: String, _ catalogs: [MessageCatalog], _ standard: String) throws -> String? {
      Languages(catalogs: catalogs, standard: try #require(LanguageTag(standard))).language(for: ranges)?
        .text(of: LocalizedMessage(key))
    }
    let all = [own, plainer, standard]
    #expect(try said(.here, "es-MX", all, "pt-BR") == "es-MX")
    #expect(try said(.own, "es-MX", all, "pt-BR") == "propia")
    #expect(try said(.rare, "es-MX", all, "pt-BR") == "rara")
    #expect(try said(.rare, "es-MX", all, "en") == "rare English")
    #expect(try said(.own, "es-MX", [own], "es-MX") == "own English")
    // English has all texts
    #expect(try said(.rare, "en", all, "pt") == "rare English")
    let english = try Self.catalog("en-GB", ["said.own": "own British"])
    #expect(try said(.own, "en-GB", all + [english], "pt") == "own British")
    #expect(try said(.rare, "en-GB", all + [english], "pt") == "rare English")
  }

  @Test(
    "the operator's language is the configured one if available, or a more general one, or English",
    arguments: [("es-MX", "es"), ("es", "es"), ("fr", "en"), ("en", "en"), ("zh-TW", "zh")])
  func standard(asked: String, tag: String) throws {
    #expect(try Self.languages(["es", "zh"], standard: asked).standard.tag.description == tag)
  }

  @Test("a reload replaces the languages for later requests")
  func live() throws {
    let live = ReloadableLanguages(.english)
    #expect(live.current.language(for: "es")?.tag == nil)
    live.replace(with: try Self.languages(["es"], standard: "es"))
    #expect(live.current.language(for: "es")?.tag.description == "es")
    #expect(live.current.standard.text(of: LocalizedMessage(Said.here)) == "es")
    #expect(live.current.tags.map(\.description) == ["en", "es"])
  }
}
