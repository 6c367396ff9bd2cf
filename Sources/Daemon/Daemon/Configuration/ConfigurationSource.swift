package import Doors
internal import Linux
package import Localization
package import Registration

/// Reads the configuration: at the start, and again with each reload.
package struct ConfigurationSource: Sendable {
  package static let defaultFile = "/etc/regd/regd.yaml"

  /// The file on the command line. Nil means `defaultFile`, or the defaults if that file is missing.
  private let file: String?
  private let arguments: [String]
  private let environment: [String: String]
  private let table: BackendTable

  /// - Parameters:
  ///   - file: The file on the command line, or nil for none.
  ///   - arguments: `--key value` or `--key=value` for any key.
  ///   - environment: All variables of the process.
  ///   - doors: The protocols that doors may speak, or nil for all that regd has.
  ///   - networks: The networks that may be chosen besides "none", or nil for all that regd has.
  ///   - mails: The mail systems that may be chosen besides "none", or nil for all that regd has.
  package init(
    file: String?, arguments: [String], environment: [String: String], doors: [any Door.Type]? = nil,
    networks: [any NetworkBackend.Type]? = nil, mails: [any MailBackend.Type]? = nil
  ) {
    table = BackendTable(
      doors: doors ?? Backends.doors, networks: networks ?? Backends.networks, mails: mails ?? Backends.mails)
    self.file = file
    self.arguments = arguments
    self.environment = environment
  }

  /// Reads the configuration for a start. Blocks for as long as the machine needs to look up users and groups.
  ///
  /// - Throws: All problems of the configuration at once.
  package func load() async throws(ConfigurationError) -> Configuration {
    try await layers().configuration(SystemNames())
  }

  /// Reads all layers, but not their values yet.
  ///
  /// - Parameter running: The running configuration, or nil at startup. A reload requires a regular file, because a
  ///   pipe can be read only once, and fails if the file that was read before is missing.
  func layers(after running: Configuration? = nil) async throws(ConfigurationError) -> UnreadConfiguration {
    let read = try readFile(after: running)
    return UnreadConfiguration(
      layers: try await ConfigurationLayers(file: read, arguments: arguments, environment: environment), table: table)
  }

  private func readFile(after running: Configuration?) throws(ConfigurationError) -> (path: String, text: String)? {
    let path = file ?? Self.defaultFile
    if running != nil, let kind = (try? FileStatus(path))?.kind, kind != .regular {
      throw Self.problem(
        path, "is not a regular file, so it cannot be read a second time; restart regd instead")
    }
    do throws(FileReading.Failure) {
      return (path, try FileReading.text(path))
    } catch {
      if file == nil, error.isNotFound, running?.file == nil { return nil }
      throw Self.problem(path, "\(error)")
    }
  }

  private static func problem(_ path: String, _ message: String) -> ConfigurationError {
    ConfigurationError(problems: [ConfigurationProblem(place: path, key: nil, message: message)])
  }
}

/// The layers of a configuration whose values are still to be read.
struct UnreadConfiguration: Sendable {
  let layers: ConfigurationLayers
  let table: BackendTable

  /// The configuration's place in the words of a problem.
  var place: String { layers.fileName }

  /// Reads all values, and the catalogues and the blocked domains that they name.
  ///
  /// - Parameter names: Looks up the users and groups that the configuration names. May block.
  /// - Throws: All problems of the configuration at once.
  func configuration(_ names: SystemNames) throws(ConfigurationError) -> Configuration {
    var reader = SettingsReader(layers, table, machine: names)
    let settings = Settings(&reader)
    let keys = reader.values
    let (home, ownDirectories) = (reader.home, reader.ownDirectories)
    let languages = reader.languages(settings.messages)
    let blockedDomains = reader.blockedDomains(settings.email)
    try reader.finish()
    return Configuration(
      settings: settings, languages: languages, blockedDomains: blockedDomains, file: layers.filePath, keys: keys,
      home: home, ownDirectories: ownDirectories, names: names.ids)
  }
}

/// A configuration that was read and has no problems.
package struct Configuration: Sendable {
  package var settings: Settings
  /// The languages for texts to people.
  package let languages: Languages
  /// The domains of `email.blockedDomainsFile`.
  let blockedDomains: DomainList
  /// The file's path, or nil if there was no file.
  package let file: String?
  let keys: ConfiguredKeys
  /// The home directory of the user who runs regd, or nil if the user has none.
  let home: String?
  /// The directories of configured paths that begin with `~/`.
  let ownDirectories: Set<String>
  /// The users and groups that the configuration names, with the ids that they have in it.
  let names: [SystemNames.Name: UInt32]

  /// A key's value in an operator's spelling, or nil for a secret and for a key that does not exist.
  package func value(of key: String) -> String? {
    keys[key].flatMap { $0.isSecret ? nil : $0.value.description }
  }

  /// The place of a key's value: the file and line, a variable, an option or a credential. For a default, the file or
  /// `default value`.
  func place(of key: String) -> String { keys[key]?.place ?? file ?? ConfigurationLayers.defaultPlace }

  /// The names of the keys that `next` changes. Contains `messages` if only the texts of catalogues change, and
  /// `email.blockedDomainsFile` if only the content of that file changes.
  func changes(in next: Configuration) -> [String] {
    var names = next.keys.changed(since: keys).map(\.name) + keys.removed(in: next.keys)
    if next.languages != languages, !names.contains(where: { $0.hasPrefix("messages.") }) { names.append("messages") }
    if next.blockedDomains != blockedDomains, !names.contains(EmailSettings.fileKey) {
      names.append(EmailSettings.fileKey)
    }
    return names
  }

  /// The changes in `next` that need a restart.
  func obstacles(to next: Configuration) -> [ConfigurationProblem] {
    next.keys.changed(since: keys).filter(\.isFixed).map { key in
      let before = keys[key.name].map { "\($0.value)" } ?? "nothing"
      let change = key.isSecret ? "" : ": it is \(before) and would be \(key.value)"
      return ConfigurationProblem(
        place: key.place, key: key.name, message: "cannot change while regd runs\(change); restart regd to change it")
    }
  }
}
