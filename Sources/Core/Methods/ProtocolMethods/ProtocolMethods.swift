internal import JSONRPC
internal import Localization

/// `rpc.cancel`: cancels a request of the same connection that has not begun to commit.
enum CancelMethod {
  static let method = make("rpc.cancel")
  /// The same method under the name that language servers use.
  static let alias = make("$/cancelRequest")

  private static let id = Parameter("id", .id, required: true, "The id of the request.")

  private static func make(_ name: StaticString) -> Method {
    Method(
      name, "Cancels a request of the same connection, unless it has ended or has begun to commit.",
      parameters: [id], .cancelling(id: id))
  }
}

/// `rpc.discover`: describes all methods, as an OpenRPC document.
enum DiscoverMethod {
  static let method = Method(
    "rpc.discover", "Returns an OpenRPC document that describes all methods.",
    result: .anyObject("An OpenRPC document (open-rpc.org)."), repetition: .yes,
    .discovering)
}

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

/// `rpc.ping`: shows that the server answers.
enum PingMethod {
  static let method = Method(
    "rpc.ping", "Returns \"pong\".", result: .choice(["pong"], ""), repetition: .yes,
    .immediate { _, _, result in result.raw("\"pong\"" as StaticString) })
}
