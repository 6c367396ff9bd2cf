/// Suffixes of sample names (section "Suffixes"). No family's name may end with one: so no two families can have a
/// sample of the same name, which is what that section wants.
private let sampleSuffixes = ["_total", "_created", "_count", "_sum", "_bucket", "_gcount", "_gsum", "_info"]

/// The name of a metric's family.
///
/// - Parameter suffix: What the family's name lacks, and the metric's may have.
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

/// Whether metrics and labels may be called so (section "ABNF").
///
/// Without what is reserved: colons (section "Name"), and underscores in front (sections "Name" and "Label").
private func isName(_ name: String) -> Bool {
  guard let first = name.utf8.first, isLetter(first) else { return false }
  return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

/// A LabelSet (section "LabelSet"). Two are the same in whatever order their dimensions were given.
struct Labels: Hashable, Sendable {
  /// As between the braces of a sample, by name.
  let text: String

  /// - Parameter dimensions: One with an empty value is as none (section "Label").
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

/// A label's value or a HELP line's text (section "Escaping").
func escaped(_ text: String) -> String {
  var escaped = ""
  // By scalars, for CR LF is one Character, and its LF would end the line.
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
