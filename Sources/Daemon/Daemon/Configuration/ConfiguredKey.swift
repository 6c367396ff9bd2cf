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
  /// The default that is shipped.
  let shipped: Value
  /// Whether the value is told to no caller and no log.
  let isSecret: Bool
  /// Where the value stands, as a problem with it would name it; the file where it stands nowhere.
  let place: String

  /// Sections that are read at the start only: a socket, a store or hashing threads that run are not exchanged.
  static let fixedSections = ["socket", "store", "hashing"]

  /// Whether another value needs a restart.
  var isFixed: Bool { Self.fixedSections.contains { name.hasPrefix($0 + ".") } }
}

extension ConfiguredKey.Value: CustomStringConvertible {
  /// As an operator would write it.
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

  /// The last reading of a key counts.
  mutating func add(_ key: ConfiguredKey) {
    if let place = places[key.name] {
      all[place] = key
    } else {
      places[key.name] = all.count
      all.append(key)
    }
  }

  /// Those that are not as shipped.
  var unshipped: [ConfiguredKey] { all.filter { $0.value != $0.shipped } }

  /// Those whose value is another than in `before`.
  func changed(since before: ConfiguredKeys) -> [ConfiguredKey] { all.filter { $0.value != before[$0.name]?.value } }
}
