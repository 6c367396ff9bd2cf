/// Reads keys with their types and defaults, and notes everything that is wrong instead of stopping at the first.
///
/// Which keys exist is what has been asked for: there is no second list to keep.
struct SettingsReader {
  private let layers: ConfigurationLayers
  private var known: [String] = []
  private var problems: [ConfigurationProblem] = []

  init(_ layers: ConfigurationLayers) { self.layers = layers }

  /// Whether any layer has the key.
  func has(_ key: String) -> Bool { layers.value(key) != nil }

  /// The keys that were read so far.
  var keys: [String] { known }

  /// - Throws: All that was found wrong, unknown keys included. Call it when every key has been read.
  consuming func finish() throws(ConfigurationError) {
    problems += layers.unknown(known)
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
  }

  mutating func string(_ key: String, default value: String) -> String {
    scalar(key) { text in text } ?? value
  }

  mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int {
    let read = scalar(key) { text -> Int? in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    expect(key, read, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    return read ?? value
  }

  /// A number of seconds, with a fraction where it has one.
  mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration {
    let read = scalar(key) { text -> Duration? in
      guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") < 10 }), let number = Double(text)
      else { return nil }
      // what is beyond all ranges is beyond Duration, too
      guard number <= 1e9 else { return nil }
      let duration = Duration.seconds(number)
      return range.contains(duration) ? duration : nil
    }
    expect(
      key, read, "must be a number of seconds from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
    return read ?? value
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) / 1e18)"
  }

  mutating func flag(_ key: String, default value: Bool) -> Bool {
    let read = scalar(key) { text -> Bool? in text == "true" ? true : text == "false" ? false : nil }
    expect(key, read, "must be true or false")
    return read ?? value
  }

  mutating func choice(_ key: String, default value: String, of choices: [String]) -> String {
    let read = scalar(key) { text in choices.contains(text) ? text : nil }
    expect(key, read, "must be one of \(choices.joined(separator: ", "))")
    return read ?? value
  }

  /// Permission bits, in octal as chmod(1) has them.
  mutating func mode(_ key: String, default value: UInt32) -> UInt32 {
    let read = scalar(key) { text -> UInt32? in
      text.count <= 4 ? UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil } : nil
    }
    expect(key, read, "must be permission bits in octal, such as \"0660\"")
    return read ?? value
  }

  /// Plain values; as one text they are separated by commas.
  mutating func list(_ key: String, default value: [String]) -> [String] {
    known.append(key)
    guard let found = layers.value(key) else { return value }
    guard found.isScalar, let text = found.items.first else { return found.items }
    return text.split(separator: ",").map { String($0.trimmingSpaces) }
  }

  /// Notes that a value which has the right type cannot be.
  mutating func refuse(_ key: String, _ message: String) {
    let place = layers.value(key)?.place ?? layers.fileName
    problems.append(ConfigurationProblem(place: place, key: key, message: message))
  }

  private mutating func scalar<Read>(_ key: String, _ read: (String) -> Read?) -> Read? {
    known.append(key)
    guard let found = layers.value(key), found.isScalar, let text = found.items.first else {
      if layers.value(key) != nil { refuse(key, "must be a single value, not a list") }
      return nil
    }
    return read(text)
  }

  private mutating func expect<Read>(_ key: String, _ read: Read?, _ message: String) {
    guard read == nil, let found = layers.value(key), found.isScalar else { return }
    refuse(key, "\(message), not \"\(found.items.first ?? "")\"")
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let front = drop { $0 == " " }
    return front.lastIndex { $0 != " " }.map { front[...$0] } ?? ""
  }
}
