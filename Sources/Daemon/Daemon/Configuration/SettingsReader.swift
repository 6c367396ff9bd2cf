internal import Doors
internal import Linux
internal import Registration

/// Reads keys with their types and defaults, and notes all problems instead of stopping at the first.
///
/// The known keys are those that the settings have read, so that no second list must be maintained.
struct SettingsReader: ConfigurationKeys {
  private var layers: ConfigurationLayers
  private var known: [String] = []
  /// The keys read so far, with their values.
  private(set) var values = ConfiguredKeys()
  private var problems: [ConfigurationProblem] = []
  /// The home directory, without a slash at its end, or nil if the user has none.
  let home: String?
  /// The directories of configured paths that begin with `~/`.
  private(set) var ownDirectories: Set<String> = []
  /// The named users and groups that this machine does not have or cannot look up.
  var unknownMembers: [UnknownMember] = []
  /// The backends and doors that the configuration may choose.
  let table: BackendTable
  /// Looks up users and groups.
  let machine: SystemNames

  init(
    _ layers: ConfigurationLayers, _ table: BackendTable = BackendTable(), machine: SystemNames = SystemNames()
  ) {
    (self.layers, self.table, self.machine) = (layers, table, machine)
    let home = layers.home ?? machine.home(ofUser: ThisProcess.effectiveUser)
    self.home = home.flatMap { $0.hasPrefix("/") ? $0.hasSuffix("/") ? String($0.dropLast()) : $0 : nil }
  }

  /// Reads the names in a section, such as `doors`, whose names the operator chooses. Only the file can have such a
  /// section. From here on, variables and options for its keys are refused, and credentials are ignored.
  mutating func names(in section: String) -> [String] {
    layers.readFromFileAlone(section)
    known.append(section)
    if let value = layers.value(section), !value.isScalar || !value.items.isEmpty {
      refuse(section, "is a section, not a value: write its names below it")
    }
    return layers.names(in: section)
  }

  /// Whether any layer has the key.
  func has(_ key: String) -> Bool { layers.value(key) != nil }

  /// The keys that were read so far.
  var keys: [String] { known }

  /// Ends the reading. Must be called after all keys were read.
  ///
  /// - Throws: All problems, including unknown keys.
  consuming func finish() throws(ConfigurationError) {
    // first, because an unknown key may be the reason for other problems, such as a missing key with a similar name
    problems = layers.unknown(known) + problems
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
  }

  /// The configuration file's path, or nil if the file does not exist.
  var file: String? { layers.filePath }

  func isOverridden(_ key: String) -> Bool { layers.value(key).map { !$0.isInFile } ?? false }

  /// Reads a text, and removes line ends from its end, because credentials and YAML's block texts end with one.
  mutating func string(_ key: String, default value: String) -> String { text(key, default: value, hasLines: false) }

  mutating func secret(_ key: String, default value: String) -> String {
    text(key, default: value, hasLines: false, isSecret: true)
  }

  /// Reads a text that may contain line breaks and tabs.
  mutating func lines(_ key: String, default value: String) -> String { text(key, default: value, hasLines: true) }

  private mutating func text(
    _ key: String, default value: String, hasLines: Bool, isSecret: Bool = false
  ) -> String {
    let read = scalar(key, orWrite: "\"\" for none") { text in text.trimmingLineEnd } ?? value
    if let problem = Self.controlCharacter(in: read, hasLines: hasLines) { refuse(key, problem) }
    note(key, .text(read), shipped: .text(value), isSecret: isSecret)
    return read
  }

  mutating func path(_ key: String, default value: String) -> String { path(key, pathText(key, default: value)) }

  mutating func pathText(_ key: String, default value: String) -> String {
    let read = string(key, default: value)
    guard read.hasPrefix("~/") else { return read }
    guard let home else {
      refuse(key, "begins with ~, but uid \(ThisProcess.effectiveUser) has no home directory (HOME)")
      return value
    }
    let path = home + read.dropFirst()
    ownDirectories.insert(FileSystem.directory(of: path))
    return path
  }

  mutating func optionalPath(_ key: String) -> String {
    let read = pathText(key, default: "")
    return read.isEmpty ? read : path(key, read)
  }

  private mutating func path(_ key: String, _ read: String) -> String {
    if layers.value(key)?.isFolded == true {
      refuse(key, "must be on one line: YAML joins the next line to \"\(read)\"")
    } else if !read.hasPrefix("/") {
      refuse(key, "must be an absolute path, not \"\(read)\"")
    } else if read.utf8.count >= FileSystem.longestPath {
      refuse(key, "is too long for a path; the maximum is \(FileSystem.longestPath - 1) bytes")
    } else if ["/", "/.", "/.."].contains(where: read.hasSuffix) {
      refuse(key, "must be the path of a file, but \"\(read)\" is the path of a directory")
    }
    return read
  }

  /// Returns a description of the text's first forbidden control character, if any. C takes a NUL for the end of a
  /// string, and a log or a terminal may take another control character for a command.
  private static func controlCharacter(in text: String, hasLines: Bool = false) -> String? {
    for scalar in text.unicodeScalars
    where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value) {
      if hasLines, scalar == "\n" || scalar == "\t" { continue }
      let number = String(scalar.value, radix: 16, uppercase: true)
      return
        "must not contain control characters, but contains U+\(String(repeating: "0", count: 4 - number.count))\(number)"
    }
    return nil
  }

  mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int {
    let read = scalar(key) { text -> Int? in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    expect(key, read, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    note(key, .integer(read ?? value), shipped: .integer(value))
    return read ?? value
  }

  mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration {
    let read = scalar(key) { text -> Duration? in
      guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") < 10 }), let number = Double(text)
      else { return nil }
      // a larger number, which no range allows, could overflow `Duration`
      guard number <= 1e9 else { return nil }
      let duration = Duration.seconds(number)
      return range.contains(duration) ? duration : nil
    }
    expect(
      key, read,
      "must be a number of seconds from \(ConfiguredKey.Value.number(range.lowerBound)) to \(ConfiguredKey.Value.number(range.upperBound))"
    )
    note(key, .seconds(read ?? value), shipped: .seconds(value))
    return read ?? value
  }

  mutating func flag(_ key: String, default value: Bool) -> Bool {
    let read = scalar(key) { text -> Bool? in text == "true" ? true : text == "false" ? false : nil }
    expect(key, read, "must be true or false")
    note(key, .flag(read ?? value), shipped: .flag(value))
    return read ?? value
  }

  mutating func choice(_ key: String, default value: String, of choices: [String]) -> String {
    let read = scalar(key) { text in choices.contains(text) ? text : nil }
    expect(key, read, "must be one of \(choices.joined(separator: ", "))")
    note(key, .text(read ?? value), shipped: .text(value))
    return read ?? value
  }

  /// Reads permission bits, in octal as for chmod(1).
  mutating func mode(_ key: String, default value: UInt32) -> UInt32 {
    let read = scalar(key) { text -> UInt32? in
      text.count <= 4 ? UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil } : nil
    }
    expect(key, read, "must be permission bits in octal, such as \"0660\"")
    note(key, .text(Self.octal(read ?? value)), shipped: .text(Self.octal(value)))
    return read ?? value
  }

  private static func octal(_ bits: UInt32) -> String {
    let digits = String(bits, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  mutating func list(_ key: String, default value: [String]) -> [String] {
    let items = items(key) ?? value
    note(key, .list(items), shipped: .list(value))
    return items
  }

  private mutating func items(_ key: String) -> [String]? {
    known.append(key)
    guard let found = layers.value(key) else { return nil }
    var items = found.items
    if found.isScalar {
      guard let text = readable(key, found, orWrite: "[] for none") else { return nil }
      items = text.trimmingLineEnd.split(separator: ",", omittingEmptySubsequences: false).map {
        String($0.trimmingSpaces)
      }
      if items == [""] { items = [] }
    }
    if items.contains("") { refuse(key, "contains an empty item; remove it with its comma") }
    if let problem = items.lazy.compactMap({ Self.controlCharacter(in: $0) }).first { refuse(key, problem) }
    return items
  }

  mutating func refuse(_ key: String, _ message: String) {
    problems.append(ConfigurationProblem(place: place(of: key), key: key, message: message))
  }

  /// Refuses the configuration because of an outage: the value may be right.
  mutating func refuse(_ key: String, outage message: String) {
    refuse(ConfigurationProblem(place: place(of: key), key: key, message: message, isOutage: true))
  }

  mutating func refuse(_ problem: ConfigurationProblem) { problems.append(problem) }

  private func place(of key: String) -> String { layers.value(key)?.place ?? layers.fileName }

  private mutating func note(
    _ key: String, _ value: ConfiguredKey.Value, shipped: ConfiguredKey.Value, isSecret: Bool = false
  ) {
    values.add(.init(name: key, value: value, shipped: shipped, isSecret: isSecret, place: place(of: key)))
  }

  private mutating func scalar<Read>(
    _ key: String, orWrite empty: String? = nil, _ read: (String) -> Read?
  ) -> Read? {
    known.append(key)
    guard let found = layers.value(key) else { return nil }
    guard found.isScalar else {
      refuse(key, "must be a single value, not a list")
      return nil
    }
    return readable(key, found, orWrite: empty).flatMap(read)
  }

  /// Returns the text of a scalar. Refuses a key without a value instead of using the default, because an operator who
  /// writes the key may want the opposite of the default.
  private mutating func readable(
    _ key: String, _ found: ConfigurationLayers.Value, orWrite empty: String?
  ) -> String? {
    if let text = found.items.first { return text }
    let choices = ["leave the key out for its default"] + (empty.map { ["write \($0)"] } ?? [])
    refuse(key, found.problem ?? "has no value; \(choices.joined(separator: ", or "))")
    return nil
  }

  private mutating func expect<Read>(_ key: String, _ read: Read?, _ message: String) {
    guard read == nil, let found = layers.value(key), found.isScalar, let text = found.items.first else { return }
    refuse(key, "\(message), not \"\(text)\"")
  }
}

extension String {
  /// The text without the line ends at its end.
  fileprivate var trimmingLineEnd: String {
    guard let last = utf8.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") else { return self }
    return String(Substring(reversed().drop { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.reversed()))
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let front = drop { $0 == " " }
    return front.lastIndex { $0 != " " }.map { front[...$0] } ?? ""
  }
}
