internal import NearestName

/// The messages of one language, as a file contains them.
package struct MessageCatalog: Equatable, Sendable {
  /// The language of the catalogue (BCP 47), for example `es-MX`.
  package let tag: LanguageTag
  /// The templates by key. A missing one is taken from another language.
  package let texts: [String: Template]

  package init(_ tag: LanguageTag, texts: [String: Template]) {
    self.tag = tag
    self.texts = texts
  }

  /// Makes a catalogue from the texts of a file.
  ///
  /// - Parameter isWanted: Whether the catalogue keeps the text of a key. Problems of a text are reported in any case.
  /// - Returns: The catalogue of all correct texts, and the problems of the others.
  package static func read(
    _ entries: [CatalogEntry], as tag: LanguageTag, only isWanted: (String) -> Bool = { _ in true }
  ) -> (MessageCatalog, [CatalogProblem]) {
    var texts: [String: Template] = [:]
    var problems: [CatalogProblem] = []
    let keys = EveryMessage.keys
    for entry in entries {
      // keeps the string in `EveryMessage.keys`, so that all catalogues share one copy of each key
      guard let name = keys.index(forKey: entry.key).map({ keys[$0].key }) else {
        if retired.contains(entry.key) { continue }
        // finding the nearest name takes time, and a file with more problems is probably not a catalogue
        guard problems.count < mostProblems else {
          problems.append(CatalogProblem(line: entry.line, message: "and perhaps more, from here on"))
          break
        }
        problems.append(unknown(entry))
        continue
      }
      do throws(TextFault) {
        let template = try template(entry.text, for: name)
        if isWanted(name) { texts[name] = template }
      } catch {
        problems.append(CatalogProblem(line: entry.line, key: entry.key, message: error.message))
      }
    }
    return (MessageCatalog(tag, texts: texts), problems)
  }

  private static let mostProblems = 20
  /// Keys that had a message in an earlier version. A catalogue that still has one must not keep regd from starting.
  private static let retired: Set = ["rpc.parseStructure", "regctl.failure.noSimulator"]

  private static func unknown(_ entry: CatalogEntry) -> CatalogProblem {
    let nearest = NearestName.findClose(entry.key, among: EveryMessage.keys.keys.sorted())
    return CatalogProblem(
      line: entry.line, key: entry.key,
      message: nearest.map { "unknown; did you mean \"\($0)\"?" } ?? "unknown; regctl messages print lists all keys")
  }

  private struct TextFault: Error {
    let message: String
  }

  private static func template(_ text: String, for name: String) throws(TextFault) -> Template {
    if text.isEmpty {
      throw TextFault(message: "has no text; leave the key out to use the less specific language, or English")
    }
    if let control = Self.control(in: text) {
      throw TextFault(
        message: "has the control character \(control), which a terminal or an email could interpret as a command")
    }
    let template: Template
    do throws(Template.Fault) { template = try Template(text) } catch { throw TextFault(message: error.message) }
    let known = EveryMessage.places[name] ?? []
    if let place = template.place(notIn: known) {
      let right =
        known.isEmpty
        ? "this message has none; write a literal brace as '{'"
        : "this message has \(known.sorted().map { "{\($0)}" }.joined(separator: ", "))"
      throw TextFault(message: "{\(place)} is unknown: \(right)")
    }
    return template
  }

  private static func control(in text: String) -> UInt8? {
    var text = text
    return text.withUTF8 { bytes in
      for byte in bytes where byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F { return byte }
      return nil
    }
  }

  /// An English catalogue without the texts that equal the compiled-in ones, because the compiled-in ones need no look-up.
  /// A catalogue of another language is returned unchanged.
  package var withoutCompiledTexts: MessageCatalog {
    guard tag == Language.english.tag else { return self }
    return MessageCatalog(tag, texts: texts.filter { key, text in !Self.isCompiled(text, key) })
  }

  private static func isCompiled(_ text: Template, _ name: String) -> Bool {
    guard let compiled = EveryMessage.keys[name]?.english else { return false }
    // most texts have no places, and need no parsing
    if TemplateReader.isPlain(compiled) { return text.parts == [.text(compiled)] }
    return (try? Template(compiled)) == text
  }

  /// This catalogue with all texts of `other`, an operator's catalogue, which replace its own texts.
  package func overridden(by other: MessageCatalog) -> MessageCatalog {
    MessageCatalog(tag, texts: texts.merging(other.texts) { _, own in own })
  }
}

extension Template.Fault {
  /// Describes the fault, and what would be right.
  package var message: String {
    switch self {
    case .unbalanced:
      "has an unmatched brace; write a literal brace as '{' or '}'"
    case .place(let text):
      "has \"{\(text)\", which is neither a place such as {name} nor a plural such as {count, plural, one {…} other {…}}"
    case .form(let name):
      "has the plural form \"\(name)\", which is unknown or appears twice; the forms are zero, one, two, few, many, other, and =0, =1 and so on"
    case .tooDeep: "has more than \(TemplateReader.mostPlurals) nested plurals"
    case .withoutOther(let name): "the plural of {\(name)} lacks its form other {…}, which every language needs"
    }
  }
}
