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
