internal import Configuration
internal import ConfigurationFile
internal import NearestName

/// The sources of values, strongest first: command line, environment, credentials, file.
struct ConfigurationLayers: Sendable {
  struct Value: Equatable {
    /// One item for a scalar (`isScalar`), any number for a list, and none for a key without a value.
    var items: [String]
    var isScalar: Bool
    var place: String
    /// Why the value cannot be read, or nil if it can.
    var problem: String?
    var isInFile = false
    /// Whether the value spans several lines, which YAML joins.
    var isFolded = false
  }

  private static let prefix = "REGD_"

  /// The place of a value that no layer has, if there is no file in which it could be set.
  static let defaultPlace = "default value"

  /// The file's path, or `defaultPlace` if there is no file.
  let fileName: String
  /// The file's path, or nil if there is no file.
  let filePath: String?
  private let entries: [String: ConfigurationFile.Entry]
  private let order: [ConfigurationFile.Entry]
  private let commandLine: CommandLineArgumentsProvider
  private let environment: EnvironmentVariablesProvider
  private let credentials: Credentials?
  private let arguments: [String]
  /// The names of options that were typed in the key's own spelling, by the usual names in `arguments`.
  private let typedNames: [String: String]
  private let variables: [String]
  /// The sections that only the file can have.
  private var fileSections: [String] = []
  /// The variable `HOME`, or nil if it is not set.
  let home: String?

  /// - Parameters:
  ///   - file: The file's path and text, or nil for none.
  ///   - arguments: `--key value` or `--key=value`, without the program's name. The key `hashing.memoryKiB` is
  ///     `--hashing-memory-ki-b`, or `--hashing-memoryKiB` in its own spelling.
  ///   - environment: All variables. Only `REGD_…`, `HOME` and `CREDENTIALS_DIRECTORY` are used.
  /// - Throws: `ConfigurationError` if the file is not YAML of the kind that regd reads.
  init(
    file: (path: String, text: String)?, arguments: [String], environment: [String: String]
  ) async throws(ConfigurationError) {
    filePath = file?.path
    fileName = file?.path ?? Self.defaultPlace
    do {
      order =
        try file.map { (file) throws(ConfigurationFile.SyntaxError) in try ConfigurationFile(yaml: file.text).entries }
        ?? []
    } catch {
      throw ConfigurationError(problems: [
        ConfigurationProblem(place: "\(fileName):\(error.line)", key: nil, message: error.message)
      ])
    }
    entries = Dictionary(order.map { ($0.path.joined(separator: "."), $0) }) { first, _ in first }
    let options = arguments.map(Self.usualOption)
    self.arguments = options
    typedNames = Dictionary(zip(options, arguments).filter { $0 != $1 }.map { (Self.name($0), Self.name($1)) }) { $1 }
    commandLine = CommandLineArgumentsProvider(arguments: ["regd"] + options)
    var ours: [String: String] = [:]
    for (name, value) in environment where name.hasPrefix(Self.prefix) {
      ours[String(name.dropFirst(Self.prefix.count))] = value
    }
    variables = ours.keys.sorted()
    home = environment["HOME"]
    self.environment = EnvironmentVariablesProvider(environmentVariables: ours)
    credentials = try environment["CREDENTIALS_DIRECTORY"].map {
      (directory) throws(ConfigurationError) in try Credentials(directory: directory)
    }
  }

  /// Returns the value of a key from the strongest layer that has one. Skips empty layers, because encoding a key's
  /// name for a layer is the slowest step.
  func value(_ key: String) -> Value? {
    if isOfFileAlone(key) { return fileValue(key) }
    let absolute = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
    if !arguments.isEmpty, let found = list(commandLine, absolute) {
      return Value(
        items: [found.items.joined(separator: ",")], isScalar: true, place: typedNames[found.name] ?? found.name)
    }
    if !variables.isEmpty, let found = string(environment, absolute) {
      return Value(items: [found.text], isScalar: true, place: Self.prefix + found.name)
    }
    if let credential = credentials?.read(key) {
      let place = "credential \(credential.name)"
      switch credential.content {
      case .success(let text): return Value(items: [text], isScalar: true, place: place)
      case .failure(let error): return Value(items: [], isScalar: true, place: place, problem: error.message)
      }
    }
    return fileValue(key)
  }

  /// Ignores the other layers for this section and its keys from now on.
  mutating func readFromFileAlone(_ section: String) { fileSections.append(section) }

  private func isOfFileAlone(_ key: String) -> Bool {
    fileSections.contains { key.hasPrefix($0) && (key.count == $0.count || key.hasPrefix($0 + ".")) }
  }

  private func fileValue(_ key: String) -> Value? {
    guard let entry = entries[key] else { return nil }
    let place = "\(fileName):\(entry.line)"
    switch entry.value {
    case .scalar(let text):
      return Value(items: [text], isScalar: true, place: place, isInFile: true, isFolded: entry.isFolded)
    case .list(let items): return Value(items: items, isScalar: false, place: place, isInFile: true)
    case .nothing: return Value(items: [], isScalar: true, place: place, isInFile: true)
    }
  }

  /// Returns the names of the entries directly below a section of the file, in the file's order.
  func names(in section: String) -> [String] {
    var names: [String] = []
    for entry in order where entry.path.count > 1 && entry.path[0] == section && !names.contains(entry.path[1]) {
      names.append(entry.path[1])
    }
    return names
  }

  /// Reports the keys, variables and options that are not in `known`.
  func unknown(_ known: [String]) -> [ConfigurationProblem] {
    unknownInFile(known) + unknownVariables(known) + unknownArguments(known)
  }

  /// How many unknown keys of a file are reported one by one. A file with more of them is probably another program's,
  /// and each search for the nearest known name takes time.
  private static let mostUnknown = 100

  private func unknownInFile(_ known: [String]) -> [ConfigurationProblem] {
    let keys = Set(known)
    var problems: [ConfigurationProblem] = []
    for entry in order {
      let key = entry.path.joined(separator: ".")
      if keys.contains(key), !entry.isNull { continue }
      let isSection = fileSections.contains(key) || known.contains { $0.hasPrefix(key + ".") }
      let place = "\(fileName):\(entry.line)"
      if isSection, entry.isNull {
        problems.append(.init(place: place, key: key, message: Self.nullSection))
        continue
      }
      if keys.contains(key) || isSection && entry.value == .nothing { continue }
      guard problems.count < Self.mostUnknown else {
        problems.append(.init(place: place, key: nil, message: "more unknown keys follow"))
        break
      }
      let message =
        isSection ? "this is a section, not a value: write its keys below it" : Self.whereItBelongs(key, known)
      problems.append(.init(place: place, key: key, message: message))
    }
    return problems
  }

  /// The message for a section that is null in the file. It is refused because the operator may want the section to be off, but
  /// its keys would have their defaults.
  private static let nullSection = "is a section and must not be null; leave it out, and its keys have their defaults"

  private func unknownVariables(_ known: [String]) -> [ConfigurationProblem] {
    guard !variables.isEmpty else { return [] }
    let names = known.filter { !isOfFileAlone($0) }.map(variable)
    return variables.map { Self.prefix + $0 }.filter { !names.contains($0) }.map { name in
      let section = fileSections.first { name == variable($0) || name.hasPrefix(variable($0) + "_") }
      return ConfigurationProblem(
        place: name, key: nil, message: section.map(Self.fileAlone) ?? Self.didYouMean(name, names))
    }
  }

  private static func fileAlone(_ section: String) -> String {
    "unknown; \(section) can be set only in the configuration file"
  }

  private func unknownArguments(_ known: [String]) -> [ConfigurationProblem] {
    guard !arguments.isEmpty else { return [] }
    let keys = known.filter { !isOfFileAlone($0) }
    let names = keys.map { encoded(commandLine, $0) }
    let ownSpellings = keys.map { "--" + $0.replacing(".", with: "-") }
    var problems: [ConfigurationProblem] = []
    var isValue = false
    for (index, argument) in arguments.enumerated() {
      let name = Self.name(argument)
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      defer { isValue = argument.hasPrefix("--") && !argument.contains("=") }
      if isValue, !argument.hasPrefix("--") { continue }
      let typed = typedNames[name] ?? name
      if !names.contains(name) || typed != name && !ownSpellings.contains(typed) {
        let section = fileSections.first { name == "--\($0)" || name.hasPrefix("--\($0)-") }
        let message = section.map(Self.fileAlone) ?? Self.option(for: typed, names + ownSpellings)
        problems.append(ConfigurationProblem(place: typed, key: nil, message: message))
      } else if argument == name, next?.hasPrefix("--") ?? true {
        problems.append(ConfigurationProblem(place: typed, key: nil, message: "a value is missing"))
      }
    }
    return problems
  }

  /// The name of a key's variable in the environment.
  func variable(_ key: String) -> String { Self.prefix + encoded(environment, key) }

  /// Returns the message for an unknown variable or option: the known name that it resembles, if there is one.
  private static func didYouMean(_ typed: String, _ known: [String]) -> String {
    NearestName.findClose(typed, among: known).map(suggestion) ?? "unknown; regd.yaml(5) lists the keys"
  }

  private static func suggestion(_ name: String) -> String { "unknown; \(question(name))" }

  private static func question(_ name: String) -> String { "did you mean \"\(name)\"?" }

  /// Lists the names in the innermost known section around an unknown key.
  private static func choices(_ key: String, _ known: [String]) -> String {
    var path = key.split(separator: ".").dropLast()
    var prefix: String { path.map { $0 + "." }.joined() }
    while !path.isEmpty, !known.contains(where: { $0.hasPrefix(prefix) }) { path.removeLast() }
    let names = known.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "." } }
    let section = path.isEmpty ? "the sections are" : "the keys of \(path.joined(separator: ".")) are"
    return "\(section) \(Set(names).sorted().joined(separator: ", "))"
  }

  /// The known keys, and the sections that they are in.
  private static func withSections(_ known: [String]) -> [String] {
    var names = known
    var seen = Set(known)
    for key in known {
      for (index, character) in zip(key.indices, key) where character == "." {
        let section = String(key[..<index])
        if seen.insert(section).inserted { names.append(section) }
      }
    }
    return names
  }

  /// Returns the message for an unknown key. If the key's section belongs inside another section, names that section.
  private static func whereItBelongs(_ key: String, _ known: [String]) -> String {
    let section = key.prefix { $0 != "." }
    let within = known.filter { $0.contains(".\(section).") }
    guard !within.isEmpty, !known.contains(where: { $0.hasPrefix("\(section).") }) else {
      return NearestName.findClose(key, among: withSections(known)).map(suggestion) ?? "unknown; " + choices(key, known)
    }
    let owner = within[0].prefix(upTo: within[0].firstRange(of: ".\(section).")?.lowerBound ?? within[0].startIndex)
    let (path, name) = ("\(owner).\(section).", key.dropFirst(section.count + 1))
    let names = known.filter { $0.hasPrefix(path) }.map { String($0.dropFirst(path.count)) }
    // by the name alone: with the path, any short name of the section would be close
    let advice = NearestName.findClose(String(name), among: names).map { question(path + $0) }
    return "unknown; \(section) belongs to \(owner); \(advice ?? choices(path + name, known))"
  }

  /// Options that are not configuration keys.
  private static let options = ["--config", "--check-config", "--version", "--help"]

  /// Returns the message for an unknown argument. An argument without a hyphen is usually meant as the file of
  /// `--config`.
  private static func option(for typed: String, _ known: [String]) -> String {
    guard typed.hasPrefix("-") else { return "unknown; to give a configuration file: --config \(typed)" }
    let letter = typed.dropFirst().first?.lowercased()
    let short = typed.hasPrefix("--") ? nil : options.first { $0.dropFirst(2).first.map { "\($0)" } == letter }
    return short.map(suggestion) ?? didYouMean(typed, options + known)
  }

  /// The name of an argument `--key` or `--key=value`.
  private static func name(_ argument: String) -> String { String(argument.prefix { $0 != "=" }) }

  /// An argument as the provider reads it: the name of an option that has capitals is turned into the usual form.
  private static func usualOption(_ argument: String) -> String {
    let name = name(argument)
    guard name.hasPrefix("--"), name.contains(where: \.isUppercase) else { return argument }
    let key = AbsoluteConfigKey(name.dropFirst(2).split(separator: "-").map(String.init))
    let provider = CommandLineArgumentsProvider(arguments: ["regd"])
    let usual = (try? provider.value(forKey: key, type: .stringArray))?.encodedKey ?? name
    return usual + argument.dropFirst(name.count)
  }

  private func encoded(_ provider: any ConfigProvider, _ key: String) -> String {
    let absolute = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
    return (try? provider.value(forKey: absolute, type: .stringArray))?.encodedKey ?? key
  }

  private func string(_ provider: any ConfigProvider, _ key: AbsoluteConfigKey) -> (name: String, text: String)? {
    guard let found = try? provider.value(forKey: key, type: .string), case .string(let text) = found.value?.content
    else { return nil }
    return (found.encodedKey, text)
  }

  /// Returns an option's value. Returns nil also for an option without a value, which `unknownArguments` reports.
  private func list(_ provider: any ConfigProvider, _ key: AbsoluteConfigKey) -> (name: String, items: [String])? {
    guard let found = try? provider.value(forKey: key, type: .stringArray),
      case .stringArray(let items) = found.value?.content, !items.isEmpty
    else { return nil }
    return (found.encodedKey, items)
  }
}
