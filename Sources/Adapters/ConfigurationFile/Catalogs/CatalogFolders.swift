internal import Linux
package import Localization

/// The folders of message catalogues: one with complete catalogues, and perhaps one with the operator's own texts.
package struct CatalogFolders: Sendable {
  /// Folders with complete catalogues, of which only the first that exists is used.
  package let candidates: [String]
  /// A folder whose texts override those of the first folder, or nil for none.
  package let overriding: String?

  package static let usual = "/etc/regd/messages"

  /// - Parameters:
  ///   - configuration: The path of the given configuration file, or nil for none.
  ///   - overriding: `messages.directory`, or "" for none.
  package init(configuration: String?, overriding: String) {
    let beside = configuration.map { "\(FileSystem.directory(of: $0))/messages" }
    candidates = (beside.map { [$0] } ?? []) + [Self.usual] + Self.shipped(with: ThisProcess.program)
    self.overriding = overriding.isEmpty ? nil : overriding
  }

  /// The folders of a program without a configuration file. The variable `REGD_MESSAGES_DIRECTORY` names the operator's
  /// folder.
  package static var ofPrograms: CatalogFolders {
    CatalogFolders(configuration: nil, overriding: ThisProcess.variable("REGD_MESSAGES_DIRECTORY") ?? "")
  }

  /// The existing files of a language. Later ones override earlier ones.
  package func files(of language: LanguageTag) -> [String] {
    [folder, overriding].compactMap { $0.map { "\($0)/\(language).yaml" } }.filter(FileSystem.exists)
  }

  /// The folders of the catalogues that come with a program: the one of `make install`, and, for a program in `.build`,
  /// the checkout's.
  static func shipped(with program: String) -> [String] {
    let parts = program.split(separator: "/")
    // the programs are in bin and in libexec/regd
    let isInLibexec = parts.dropLast().suffix(2) == ["libexec", "regd"]
    let prefix = parts.dropLast(isInLibexec ? 3 : 2)
    let installed = "/" + (prefix + ["share", "regd", "messages"]).joined(separator: "/")
    guard let build = parts.firstIndex(of: ".build") else { return [installed] }
    return [installed, "/" + (parts[..<build] + ["Config", "messages"]).joined(separator: "/")]
  }

  /// The folder of complete catalogues, or nil if no such folder exists.
  package var folder: String? { candidates.first { (try? FileStatus($0))?.kind == .directory } }

  /// One problem, and its file.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let problem: CatalogProblem

    package init(path: String, problem: CatalogProblem) { (self.path, self.problem) = (path, problem) }

    /// The problem's place: `/etc/regd/messages/es.yaml:12`.
    package var place: String { problem.line.map { "\(path):\($0)" } ?? path }

    package var description: String {
      problem.key.map { "\(place): \($0): \(problem.message)" } ?? "\(place): \(problem.message)"
    }
  }

  package struct Failure: Error, Equatable, Sendable {
    package let problems: [Problem]
  }

  /// Reads the catalogues.
  ///
  /// - Parameters:
  ///   - languages: The languages to read, or nil for all.
  ///   - isWanted: Whether to keep the text of a key.
  /// - Throws: All problems of all files, including problems of texts that are not kept.
  package func load(
    only languages: [LanguageTag]? = nil, keeping isWanted: (String) -> Bool = { _ in true }
  ) throws(Failure) -> [MessageCatalog] {
    var catalogs: [LanguageTag: MessageCatalog] = [:]
    var problems: [Problem] = []
    for folder in [folder, overriding].compactMap({ $0 }) {
      for (path, catalog, wrong) in read(folder, languages, isWanted) {
        problems += wrong.map { Problem(path: path, problem: $0) }
        guard let catalog else { continue }
        catalogs[catalog.tag] = catalogs[catalog.tag]?.overridden(by: catalog) ?? catalog
      }
    }
    guard problems.isEmpty else { throw Failure(problems: problems) }
    return catalogs.values.map(\.withoutCompiledTexts).filter { $0.tag != Language.english.tag || !$0.texts.isEmpty }
      .sorted { "\($0.tag)" < "\($1.tag)" }
  }

  private func read(
    _ folder: String, _ languages: [LanguageTag]?, _ isWanted: (String) -> Bool
  ) -> [(path: String, MessageCatalog?, [CatalogProblem])] {
    let names: [String]
    do throws(SystemError) { names = try FileSystem.names(in: folder) } catch {
      return [(folder, nil, [CatalogProblem(line: nil, message: "cannot be read: \(error.text)")])]
    }
    // files of an editor or a package manager (.es.yaml.swp, es.yaml.dpkg-old) are ignored
    return names.filter { !$0.hasPrefix(".") && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }.compactMap { name in
      if let languages, !languages.contains(where: { "\($0).yaml" == name }) { return nil }
      let path = "\(folder)/\(name)"
      do throws(CatalogProblem) {
        let tag = try CatalogFile.language(of: name)
        let (catalog, problems) = MessageCatalog.read(try CatalogFile.entries(path), as: tag, only: isWanted)
        return (path, catalog, problems)
      } catch {
        return (path, nil, [error])
      }
    }
  }
}

/// The file of a message catalogue: YAML, `key: text`, named by its language, as in `es-MX.yaml`.
package enum CatalogFile {
  /// The largest file that is read: twenty times the size of a complete catalogue.
  static let mostBytes = 2 << 20

  /// The language in a file's name.
  ///
  /// - Parameter name: `es-MX.yaml`, or a path that ends with such a name.
  /// - Throws: For any other name, a problem without a line.
  package static func language(of name: String) throws(CatalogProblem) -> LanguageTag {
    let name = name.split(separator: "/").last ?? ""
    guard name.hasSuffix(".yaml"), let tag = LanguageTag(name.dropLast(5)) else {
      throw CatalogProblem(
        line: nil, message: "must be named after a language (BCP 47), such as es.yaml or es-MX.yaml")
    }
    guard "\(tag)" == name.dropLast(5) else {
      throw CatalogProblem(line: nil, message: "has a name with unusual capitals: rename it to \(tag).yaml")
    }
    return tag
  }

  /// The texts in the file's order. Does not check that their keys and placeholders exist, because
  /// `MessageCatalog.read` checks this.
  ///
  /// - Throws: The first problem that prevents reading.
  package static func entries(_ path: String) throws(CatalogProblem) -> [CatalogEntry] {
    let text: String
    do throws(FileReading.Failure) { text = try FileReading.text(path, atMost: mostBytes) } catch {
      throw CatalogProblem(line: nil, message: "\(error)")
    }
    return try entries(yaml: text)
  }

  static func entries(yaml text: String) throws(CatalogProblem) -> [CatalogEntry] {
    if let entries = PlainLines.read(text) { return entries }
    var reader = EventReader(isCatalog: true)
    do throws(ConfigurationFile.SyntaxError) { try reader.run(text) } catch {
      throw CatalogProblem(line: error.line, message: error.message)
    }
    var entries: [CatalogEntry] = []
    for entry in reader.entries {
      let key = entry.path.joined(separator: ".")
      guard entry.path.count == 1, case .scalar(let text) = entry.value else {
        throw CatalogProblem(
          line: entry.line, key: entry.path[0],
          message: "must be a string on one level, such as password.mismatch: \"The password …\"")
      }
      entries.append(CatalogEntry(key: key, text: text, line: entry.line))
    }
    return entries
  }
}
