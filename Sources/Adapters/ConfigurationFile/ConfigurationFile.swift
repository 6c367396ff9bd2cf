internal import CYAML

/// A YAML file of nested mappings as a flat list of keys with their values and lines.
package struct ConfigurationFile: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// The text without quotes.
    case scalar(String)
    case list([String])
    /// An empty mapping, `{}`, null, or a key without a value.
    case nothing
  }

  package struct Entry: Equatable, Sendable {
    /// The key, preceded by its enclosing keys, outermost first.
    package let path: [String]
    package let value: Value
    /// The line of the key, counted from 1.
    package let line: Int
    /// Whether the value spans several lines, which YAML joins with spaces.
    package var isFolded = false
    /// Whether the value is a written null, `~` or `null`, and not just left out.
    package var isNull = false
  }

  package struct SyntaxError: Error, Equatable {
    /// The problem, as a sentence.
    package let message: String
    /// The problem's line, counted from 1.
    package let line: Int
  }

  /// In the order of the file.
  package let entries: [Entry]

  /// Parses a YAML text.
  ///
  /// - Throws: `SyntaxError`, also for anchors, aliases, tags, a second document, a repeated key, and lists of
  ///   mappings.
  package init(yaml text: String) throws(SyntaxError) {
    var reader = EventReader()
    try reader.run(text)
    entries = reader.entries
  }
}

/// Turns libyaml's events into entries.
struct EventReader {
  /// Whether the text is a catalogue, whose keys may have dots, and whose values must not be unquoted numbers or truth values.
  private let isCatalog: Bool
  private(set) var entries: [ConfigurationFile.Entry] = []

  init(isCatalog: Bool = false) { self.isCatalog = isCatalog }

  private enum Frame {
    /// A mapping. `key` is the key whose value comes next, or nil if a key comes next.
    case mapping(key: (name: String, line: Int)?)
    case list(line: Int)
  }

  private var path: [String] = []
  private var frames: [Frame] = []
  // the two collections below are not in `Frame`, because a switch over a frame would copy them

  /// The keys of each open mapping, outermost first.
  private var names: [Set<String>] = []
  /// The items of the open list. Lists do not nest.
  private var items: [String] = []
  private var documents = 0

  /// The deepest nesting of mappings: four times the depth of the configuration.
  static let mostMappings = 16

  mutating func run(_ text: String) throws(ConfigurationFile.SyntaxError) {
    // allocated, because libyaml keeps the parser's address
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { throw .init(message: "libyaml could not start", line: 1) }
    defer { yaml_parser_delete(parser) }
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(ConfigurationFile.SyntaxError) in
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      try read(parser, bytes)
    }
  }

  private mutating func read(
    _ parser: UnsafeMutablePointer<yaml_parser_t>, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(ConfigurationFile.SyntaxError) {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else {
        throw YAMLProblem(parser.pointee, bytes).error
      }
      defer { yaml_event_delete(&event) }
      guard !Task.isCancelled else { throw .init(message: "reading was cancelled", line: line(of: event)) }
      if event.type == YAML_STREAM_END_EVENT { return }
      try handle(event)
    }
  }

  private mutating func handle(_ event: yaml_event_t) throws(ConfigurationFile.SyntaxError) {
    let line = line(of: event)
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      documents += 1
      if documents > 1 { throw .init(message: "a second document begins here; only one is allowed", line: line) }
    case YAML_ALIAS_EVENT:
      throw .init(message: "aliases (*) are not supported; write the value itself", line: line)
    case YAML_MAPPING_START_EVENT:
      try refuse(event.data.mapping_start.anchor, event.data.mapping_start.tag, line)
      try beginMapping(line)
    case YAML_MAPPING_END_EVENT:
      frames.removeLast()
      if names.removeLast().isEmpty, case .mapping(.some(let key)) = frames.last {
        entries.append(.init(path: path, value: .nothing, line: key.line))
      }
      endValue()
    case YAML_SEQUENCE_START_EVENT:
      try refuse(event.data.sequence_start.anchor, event.data.sequence_start.tag, line)
      guard case .mapping(.some(let key)) = frames.last else {
        throw .init(
          message: "a list is not allowed here; a list contains plain values and belongs to a key", line: line)
      }
      frames.append(.list(line: key.line))
    case YAML_SEQUENCE_END_EVENT:
      if case .list(let line) = frames.removeLast() {
        entries.append(.init(path: path, value: .list(items), line: line))
        items = []
      }
      endValue()
    case YAML_SCALAR_EVENT:
      try refuse(event.data.scalar.anchor, event.data.scalar.tag, line)
      let scalar = event.data.scalar
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self)
      try self.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, line)
      let isBlock = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
      if !isBlock, event.end_mark.line > event.start_mark.line, case .mapping(key: .none) = frames.last,
        !entries.isEmpty
      {
        entries[entries.count - 1].isFolded = true
      }
    default: break
    }
  }

  /// The line where an event begins, counted from 1.
  private func line(of event: yaml_event_t) -> Int { Int(event.start_mark.line) + 1 }

  private func refuse(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?, _ line: Int
  ) throws(ConfigurationFile.SyntaxError) {
    if anchor != nil { throw .init(message: "anchors (&) are not supported; write the value itself", line: line) }
    if tag != nil { throw .init(message: "tags (!) are not supported; remove the tag", line: line) }
  }

  private mutating func beginMapping(_ line: Int) throws(ConfigurationFile.SyntaxError) {
    switch frames.last {
    case .none, .mapping(key: .some):
      guard frames.count < Self.mostMappings else {
        throw .init(message: "there are more than \(Self.mostMappings) nested mappings here", line: line)
      }
      frames.append(.mapping(key: nil))
      names.append([])
    case .mapping(key: .none): throw .init(message: "a key must be a plain word", line: line)
    case .list: throw .init(message: "a list must contain plain values, not mappings", line: line)
    }
  }

  private mutating func scalar(
    _ text: String, isPlain: Bool, _ line: Int
  ) throws(ConfigurationFile.SyntaxError) {
    switch frames.last {
    case .none:
      guard text.isEmpty else { throw .init(message: "the file must be a mapping of keys to values", line: line) }
    case .mapping(key: .none):
      guard isCatalog || !text.contains(".") else {
        throw .init(message: "\"\(text)\" contains a dot; write sections as mappings", line: line)
      }
      guard names[names.count - 1].insert(text).inserted else {
        throw .init(
          message: "the key \"\((path + [text]).joined(separator: "."))\" appears here a second time", line: line)
      }
      frames[frames.count - 1] = .mapping(key: (text, line))
      path.append(text)
    case .mapping(key: .some(let key)):
      guard !isCatalog || !isPlain || !Self.isNoText(text) else {
        throw .init(
          message: "\(path.joined(separator: ".")) is not a string: write it in quotes, \"\(text)\"", line: key.line)
      }
      let isNothing = isPlain && Self.isNothing(text)
      entries.append(
        .init(
          path: path, value: isNothing ? .nothing : .scalar(text), line: key.line, isNull: isNothing && !text.isEmpty))
      endValue()
    case .list:
      guard !isPlain || !Self.isNothing(text) else {
        throw .init(message: "an item of the list has no value; write [] for an empty list", line: line)
      }
      items.append(text)
    }
  }

  /// Whether a plain scalar is null (YAML 1.2.2 §10.2.1.1, without the spellings "Null" and "NULL").
  private static func isNothing(_ text: String) -> Bool { text.isEmpty || text == "~" || text == "null" }

  /// Whether a plain scalar is a number or a truth value.
  private static func isNoText(_ text: String) -> Bool {
    Double(text) != nil || ["true", "false", "yes", "no", "on", "off"].contains(text.lowercased())
  }

  /// Ends the value of the current key. The enclosing mapping then expects a key.
  private mutating func endValue() {
    guard case .mapping = frames.last else { return }
    frames[frames.count - 1] = .mapping(key: nil)
    if !path.isEmpty { path.removeLast() }
  }
}
