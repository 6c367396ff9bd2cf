internal import JSONRPC
internal import Localization

/// `rpc.language`: sets the language for the person who uses this connection.
enum LanguageMethod {
  private static let language = Parameter(
    "language", .string, required: true, "A BCP 47 tag, or a list as in Accept-Language; up to 255 bytes.")

  static let method = Method(
    "rpc.language",
    "Sets the language of messages on this connection; an unknown language selects the default.",
    parameters: [language],
    result: .object(.init("language", .string("The language that is now in force, as a BCP 47 tag."))),
    .immediate { parameters, session, result in
      session.ranges = parameters[language]?.languageRanges
      result.object { $0.member("language", "\(session.language().tag)") }
    })
}
