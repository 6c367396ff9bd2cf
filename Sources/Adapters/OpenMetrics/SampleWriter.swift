/// Writes the samples of one metric (OpenMetrics, section "ABNF", sample).
struct SampleWriter {
  /// The text so far, to which each sample is appended.
  private(set) var text: String
  let family: String
  /// In the form of `Labels.text`.
  let labels: String

  /// - Parameters:
  ///   - suffix: Added to the family's name.
  ///   - threshold: The label `le`, for buckets only.
  mutating func sample(_ suffix: String, threshold: String? = nil, _ value: some MetricValue) {
    text += family
    text += suffix
    if threshold != nil || !labels.isEmpty {
      text += "{"
      text += labels
      if let threshold {
        if !labels.isEmpty { text += "," }
        text += "le=\"\(threshold)\""
      }
      text += "}"
    }
    text += " "
    text += value.metricText
    text += "\n"
  }
}

/// A number that can be a sample's value (OpenMetrics, sections "Values" and "Numbers").
protocol MetricValue {
  var metricText: String { get }
}

extension UInt64: MetricValue {
  var metricText: String { String(self) }
}

extension Double: MetricValue {
  /// The shortest text that reads back as the same number. Whole numbers up to 2^53, where Double is exact, have no point:
  /// 52428800 is easier to read than 5.24288e+07.
  var metricText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
    if magnitude <= 0x1p53, rounded(.towardZero) == self { return String(Int64(self)) }
    return description
  }
}

/// Nanoseconds, written exactly as a decimal number of seconds, because a Double would round.
struct Seconds: MetricValue {
  let nanoseconds: UInt64

  var metricText: String {
    let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var digits = String(String(1_000_000_000 + part).dropFirst())  // with the zeros in front
    while digits.utf8.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

/// Suffixes of sample names (OpenMetrics, section "Suffixes"). The name of a family must not end with one. Otherwise
/// two families could have samples of the same name, which that section forbids.
private let sampleSuffixes = ["_total", "_created", "_count", "_sum", "_bucket", "_gcount", "_gsum", "_info"]

/// Returns the name of a metric's family, if it is valid.
///
/// - Parameter suffix: Removed from the end of the metric's name, if the name ends with it.
func familyName(_ name: String, stripping suffix: String) throws(Refusal) -> String {
  let family = name.hasSuffix(suffix) ? String(name.dropLast(suffix.utf8.count)) : name
  guard isName(family) else {
    throw Refusal("is no name: a letter, then letters, digits and underscores, in ASCII")
  }
  if let suffix = sampleSuffixes.first(where: { family.hasSuffix($0) }) {
    throw Refusal("ends with \(suffix), which only samples do")
  }
  return family
}

/// Whether a text can name a metric or a label (OpenMetrics, section "ABNF").
///
/// Also refuses the reserved names: those with colons (section "Name") or a leading underscore (sections "Name" and
/// "Label").
private func isName(_ name: String) -> Bool {
  guard let first = name.utf8.first, isLetter(first) else { return false }
  return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

/// A metric's labels (OpenMetrics, section "LabelSet"). The order of the dimensions does not matter for equality.
struct Labels: Hashable, Sendable {
  /// The text between a sample's braces, sorted by name.
  let text: String

  /// - Parameter dimensions: Those with an empty value are left out, because they mean the same as no label (section
  ///   "Label").
  init(_ dimensions: [(String, String)]) throws(Refusal) {
    var seen: Set<String> = []
    for (name, _) in dimensions {
      guard isName(name) else { throw Refusal("has a dimension whose name is none: \(name)") }
      guard name != "le" else { throw Refusal("has the dimension le, which is the histograms'") }
      guard seen.insert(name).inserted else { throw Refusal("has the dimension \(name) twice") }
    }
    text = dimensions.filter { !$0.1.isEmpty }.sorted { $0.0 < $1.0 }
      .map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
  }
}

/// Escapes a label's value or a HELP line's text (OpenMetrics, section "Escaping").
func escaped(_ text: String) -> String {
  var escaped = ""
  // Iterates over scalars because CR LF is one Character, and its LF would end the line.
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": escaped += "\\n"
    case "\"": escaped += "\\\""
    case "\\": escaped += "\\\\"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
