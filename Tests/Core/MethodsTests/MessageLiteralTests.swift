import TestDoubles
import TestKit
import Testing

/// Messages for people belong in a catalogue, not in literals in the code.
@Suite("Messages outside the code")
struct MessageLiteralTests {
  /// The places where literals may look like sentences, and the reasons.
  private static let exceptions: [(path: String, reason: String)] = [
    ("Sources/Core/Localization/English/", "the sentences"),
    ("Sources/Core/Localization/Catalogs/", "diagnoses of catalogues, for operators and translators"),
    ("Sources/Core/Localization/Languages/PluralFamily.swift", "names of languages"),
    ("Sources/Core/Registration/Store/StoreKeys.swift", "the description of a key in a debugger"),
    ("Sources/Core/Registration/StoreTransfer/Mover.swift", "a diagnosis of two different stores, for operators"),
    ("Sources/Core/Registration/InFlight/Conductor.swift", "the log entry for an internal fault of regd"),
    ("Sources/Core/Registration/Ports/MailService.swift", "for the log and mail.list, with mail systems' own words"),
    ("Sources/Core/Registration/Mailing/MailQueue.swift", "stored in the place of a mail system's words"),
    ("Sources/Core/Registration/Mailing/MailWork+Sending.swift", "the detail of a store's failure, for the log"),
    ("Sources/Core/MailComposition/MailText.swift", "the words of a mail system, for operators"),
    ("Sources/Core/WireProtocols/Callers/Limits.swift", "descriptions of rpc.discover"),
    ("Sources/Core/JSONRPC/Dispatch/OpenRPCDocument.swift", "descriptions of rpc.discover"),
    ("Sources/Core/Methods/Describing/Examples+", "recorded results of regd, for rpc.discover"),
    ("Sources/Core/Methods/Describing/RegdDescription.swift", "descriptions of rpc.discover"),
    ("Sources/Core/Doors/JSONRPC/JSONRPCDoor.swift", "the configuration's mistakes, for operators"),
    ("Sources/Core/Doors/Saslauthd/SaslauthdLoginProtocol.swift", "words of saslauthd's protocol, for programs only"),
    ("Sources/Core/Doors/Socketmap/SocketmapLoginProtocol.swift", "words of socketmap's protocol, for mail.log"),
  ]

  /// The literals of a file, each with the text in front of it on its line. Comments are skipped, and interpolations
  /// are not parsed.
  private func literals(_ text: String) -> [(before: Substring, literal: Substring)] {
    text.split(separator: "\n").flatMap { line -> [(before: Substring, literal: Substring)] in
      let code = line.drop { $0 == " " }
      guard !code.hasPrefix("//") else { return [] }
      return line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (line[..<$0.range.lowerBound], $0.1) }
    }
  }

  /// Whether a literal contains three words with spaces between them.
  private func isSentence(_ literal: Substring) -> Bool {
    literal.contains(/[A-Za-z,;:]{2,} [a-z]{1,} [a-z]{2,}/)
  }

  @Test("no literal in Sources/Core is a message for people")
  func core() throws {
    for (path, text) in try SourceFiles.swift(in: "Sources/Core") {
      guard !Self.exceptions.contains(where: { path.hasPrefix($0.path) }) else { continue }
      // The descriptions in rpc.discover of methods, params and results are in English, for programmers.
      let describes = path.hasPrefix("Sources/Core/Methods/") || path.hasSuffix("Parameter.swift")
      for (before, literal) in literals(text) where isSentence(literal) {
        let isDescription =
          describes
          && (before.allSatisfy { $0 == " " } || before.hasSuffix(", ") && !before.contains("RPCError(")
            || before.contains(
              /(required: (true|false), |\.(init|string|integer|boolean|number|array|object|choice|anyObject|oneOf)\(|"[a-zA-Z.\/$]+", |about: |make\(|method\(|optional\(|required\()[^"]*$/
            ))
        #expect(isDescription || before.contains("precondition") || before.contains("assertion"), "\(path): \(literal)")
      }
    }
  }

  @Test("each exception contains a literal that looks like a sentence")
  func exceptions() throws {
    let files = try SourceFiles.swift(in: "Sources/Core")
    for (path, _) in Self.exceptions {
      let texts = files.filter { $0.path.hasPrefix(path) }.map(\.text)
      #expect(texts.contains { literals($0).contains { isSentence($0.literal) } }, "\(path)")
    }
  }
}
