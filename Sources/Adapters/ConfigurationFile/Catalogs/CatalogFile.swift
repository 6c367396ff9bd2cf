internal import Linux
package import Localization

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
