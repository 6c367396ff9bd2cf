/// The kind of metric. All metrics of a family (of one name) have the same kind.
enum Kind: Sendable {
  case counter, gauge
  /// Histograms: of durations in seconds, and of any other values.
  case durations, values

  /// The word in the TYPE line (section "Type").
  var type: String {
    switch self {
    case .counter: "counter"
    case .gauge: "gauge"
    case .durations, .values: "histogram"
    }
  }
}

/// One metric of a family: a value or histogram with its own labels, which writes its present state as one or more
/// samples.
protocol Metric: AnyObject, Sendable {
  func write(to samples: inout SampleWriter)
}

/// Why a metric is refused.
struct Refusal: Error {
  /// Follows the metric's name in a sentence.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// All families by name, and the rules for their metrics. A family is the metrics of one name, which differ in their
/// labels.
struct Families: Sendable {
  private struct Family: Sendable {
    /// The family's kind, or nil if it was described and has no metric yet.
    var kind: Kind?
    var help = ""
    var unit: String?
    /// Keyed by labels: the same labels mean the same metric (section "Metric").
    var metrics: [Labels: any Metric] = [:]
  }

  private var families: [String: Family] = [:]

  mutating func describe(_ name: String, help: String, unit: String?) throws(Refusal) {
    let name = try familyName(name, stripping: "_total")
    if let unit {
      guard !unit.isEmpty, name.hasSuffix("_" + unit) else { throw Refusal("does not end with its unit \(unit)") }
      if families[name]?.kind == .durations, unit != "seconds" { throw Refusal("is in seconds, not in \(unit)") }
    }
    var family = families[name] ?? Family()
    family.help = help
    family.unit = unit ?? family.unit
    families[name] = family
  }

  /// Returns the metric with this name and these dimensions, and makes it if it does not exist.
  ///
  /// - Throws: If the name or a dimension is invalid, or the name has metrics of another kind or type.
  mutating func metric<M: Metric>(
    _ kind: Kind, _ name: String, _ dimensions: [(String, String)], make: () -> M
  ) throws(Refusal) -> M {
    let name = try familyName(name, stripping: kind == .counter ? "_total" : "")
    let labels = try Labels(dimensions)
    var family = families[name] ?? Family()
    if let other = family.kind, other != kind { throw Refusal("is \(kind) here and \(other) elsewhere") }
    if kind == .durations {
      guard name.hasSuffix("_seconds") else { throw Refusal("is a timer and does not end with _seconds") }
      family.unit = "seconds"
    }
    if let metric = family.metrics[labels] {
      guard let metric = metric as? M else { throw Refusal("is \(M.self) here and \(type(of: metric)) elsewhere") }
      return metric
    }
    let metric = make()
    family.kind = kind
    family.metrics[labels] = metric
    families[name] = family
    return metric
  }

  /// The whole text (section "Overall Structure"), with metadata in the order of section "MetricFamily metadata".
  func text() -> String {
    var text = ""
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      guard let kind = family.kind else { continue }
      text += "# TYPE \(name) \(kind.type)\n"
      if let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
      if !family.help.isEmpty { text += "# HELP \(name) \(escaped(family.help))\n" }
      for (labels, metric) in family.metrics.sorted(by: { $0.key.text < $1.key.text }) {
        var samples = SampleWriter(text: text, family: name, labels: labels.text)
        text = ""  // so that the writer's is the only one, and grows where it is
        metric.write(to: &samples)
        text = samples.text
      }
    }
    return text + "# EOF\n"
  }
}
