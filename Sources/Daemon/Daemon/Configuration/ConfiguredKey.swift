/// A key of the configuration as it was read.
struct ConfiguredKey: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case text(String)
    case integer(Int)
    case seconds(Duration)
    case flag(Bool)
    case list([String])
  }

  let name: String
  let value: Value
  /// The default value.
  let shipped: Value
  /// Whether the value is hidden from callers and from the log.
  let isSecret: Bool
  /// Where the value comes from, such as a file and line. For a default, the file's path, or `default value` without a
  /// file.
  let place: String

  /// Sections that are read at the start only, because a running socket, store or hashing thread cannot be exchanged.
  static let fixedSections = ["socket", "store", "hashing"]

  /// Whether a change needs a restart.
  var isFixed: Bool { Self.fixedSections.contains { name.hasPrefix($0 + ".") } }
}

extension ConfiguredKey.Value: CustomStringConvertible {
  /// The value as an operator writes it.
  var description: String {
    switch self {
    case .text(let text): text.isEmpty ? "\"\"" : text
    case .integer(let number): "\(number)"
    case .seconds(let duration): Self.number(duration)
    case .flag(let flag): "\(flag)"
    case .list(let items): "[\(items.joined(separator: ", "))]"
    }
  }

  /// Seconds as a decimal number.
  static func number(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) / 1e18)"
  }
}

/// All keys of a configuration, in the order in which they were read.
struct ConfiguredKeys: Sendable {
  private(set) var all: [ConfiguredKey] = []
  private var places: [String: Int] = [:]

  subscript(name: String) -> ConfiguredKey? { places[name].map { all[$0] } }

  /// Adds a key, or replaces an earlier reading of it.
  mutating func add(_ key: ConfiguredKey) {
    if let place = places[key.name] {
      all[place] = key
    } else {
      places[key.name] = all.count
      all.append(key)
    }
  }

  /// The keys whose value is not the default.
  var unshipped: [ConfiguredKey] { all.filter { $0.value != $0.shipped } }

  /// The names of the keys that `next` lacks, because a door was removed.
  func removed(in next: ConfiguredKeys) -> [String] { all.map(\.name).filter { next[$0] == nil } }

  /// The keys whose value differs from the one in `before`.
  func changed(since before: ConfiguredKeys) -> [ConfiguredKey] { all.filter { $0.value != before[$0.name]?.value } }
}
