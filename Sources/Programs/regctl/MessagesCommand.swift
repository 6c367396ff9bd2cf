internal import ArgumentParser
internal import ConfigurationFile
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct MessagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: .said(MessagesHelp.abstract), discussion: .said(MessagesHelp.discussion),
    subcommands: [Check.self, Print.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: .said(MessagesHelp.check), discussion: .said(MessagesHelp.checkMore))

    @Argument(help: .said(MessagesHelp.files)) var files: [String]
    @Flag(help: .said(CommonHelp.jsonResult)) var json = false

    func run() throws {
      let found = files.map { CheckedCatalog($0) }
      for catalog in found { Terminal.print(json ? catalog.json.text : catalog.lines.joined(separator: "\n")) }
      if found.contains(where: { !$0.errors.isEmpty }) { throw Refusal(message: nil) }
    }
  }

  struct Print: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "print", abstract: .said(MessagesHelp.print))

    @Argument(help: .said(MessagesHelp.language)) var language: String?
    @Flag(help: .said(CommonHelp.jsonResult)) var json = false

    func validate() throws {
      guard let language else { return }
      guard LanguageTag(language) != nil else {
        throw ValidationError(CatalogMessageKey.noLanguage, ["language": .text(language)])
      }
    }

    func run() throws {
      guard let tag = language.flatMap({ LanguageTag($0) }) else {
        return json ? show(EveryMessage.texts) : Terminal.print(document: CatalogText.english)
      }
      let folders = CatalogFolders.ofPrograms
      var texts = tag == Language.english.tag ? EveryMessage.texts : [:]
      for file in folders.files(of: tag) {
        do throws(CatalogProblem) {
          for entry in try CatalogFile.entries(file) { texts[entry.key] = entry.text }
        } catch {
          throw Refusal(message: "\(CatalogFolders.Problem(path: file, problem: error))")
        }
      }
      if json { show(texts) } else { Terminal.print(document: CatalogText.whole(tag, texts: texts)) }
    }

    /// Prints one object with all keys that have a text.
    private func show(_ texts: [String: String]) {
      let members = texts.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }
      Terminal.print(JSONValue.object(members).text)
    }
  }
}

/// The result of `regctl messages check` for a file.
private struct CheckedCatalog {
  let file: String
  private(set) var errors: [CatalogProblem] = []
  private(set) var warnings: [CatalogProblem] = []
  private(set) var missing: [String] = []

  /// How many of the keys without a text are shown.
  private static let mostShown = 5

  init(_ file: String) {
    self.file = file
    do throws(CatalogProblem) {
      let tag = try CatalogFile.language(of: file)
      let entries = try CatalogFile.entries(file)
      errors = MessageCatalog.read(entries, as: tag).1
      let review = CatalogReview(entries, as: tag)
      (warnings, missing) = (review.remarks, review.missing)
    } catch {
      errors = [error]
    }
  }

  /// The result for a person, in the form of compilers' messages.
  var lines: [String] {
    var lines = told(errors, as: .error) + told(warnings, as: .warning)
    if !missing.isEmpty {
      lines.append(
        Speech.text(
          CatalogMessageKey.missing,
          [
            "file": .text(file), "count": .number(missing.count),
            "keys": .list(missing.prefix(Self.mostShown), isCut: missing.count > Self.mostShown),
          ]))
    }
    return lines.isEmpty ? [Speech.text(CatalogMessageKey.good, ["file": .text(file)])] : lines
  }

  private func told(_ problems: [CatalogProblem], as key: CatalogMessageKey) -> [String] {
    problems.map { problem in
      let place = problem.line.map { "\(file):\($0)" } ?? file
      let message = problem.key.map { "\($0): \(problem.message)" } ?? problem.message
      return Speech.text(key, ["place": .text(place), "problem": .text(message)])
    }
  }

  var json: JSONValue {
    .object([
      .init("file", .string(file)), .init("errors", Self.json(errors)), .init("warnings", Self.json(warnings)),
      .init("missing", .array(missing.map { .string($0) })),
    ])
  }

  private static func json(_ problems: [CatalogProblem]) -> JSONValue {
    .array(
      problems.map { problem in
        var members: [JSONValue.Member] = []
        if let line = problem.line { members.append(.init("line", .number("\(line)"))) }
        if let key = problem.key { members.append(.init("key", .string(key))) }
        return .object(members + [.init("message", .string(problem.message))])
      })
  }
}
