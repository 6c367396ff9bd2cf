/// A sample of an OpenMetrics text: a name, labels, a value.
struct MetricSample: Equatable {
  let name: Substring
  let labels: [Substring: String]
  let value: Double

  /// All samples of a text. Other lines, such as comments, are skipped.
  static func all(in text: String) -> [MetricSample] {
    text.split(separator: "\n").compactMap { $0.hasPrefix("#") ? nil : MetricSample($0) }
  }

  private init?(_ line: Substring) {
    var rest = line
    name = rest.prefix { $0 != "{" && $0 != " " }
    rest = rest.dropFirst(name.count)
    var labels: [Substring: String] = [:]
    if rest.first == "{" {
      rest = rest.dropFirst()
      while let first = rest.first, first != "}" {
        guard let label = Self.label(&rest) else { return nil }
        labels[label.name] = label.value
        if rest.first == "," { rest = rest.dropFirst() }
      }
      rest = rest.dropFirst()
    }
    self.labels = labels
    guard let value = rest.split(separator: " ").first.flatMap({ Double($0) }) else { return nil }
    self.value = value
  }

  /// Takes `name="value"` from the front of `rest`. `\n` means a line feed. Before any other character, a backslash is
  /// dropped.
  private static func label(_ rest: inout Substring) -> (name: Substring, value: String)? {
    let name = rest.prefix { $0 != "=" }
    rest = rest.dropFirst(name.count + 1)
    guard rest.first == "\"" else { return nil }
    rest = rest.dropFirst()
    var value = ""
    while let next = rest.popFirst() {
      if next == "\"" { return (name, value) }
      guard next == "\\" else {
        value.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      value.append(escaped == "n" ? "\n" : escaped)
    }
    return nil
  }
}
