/// The findings for a person.
struct DoctorReport {
  private let findings: [Finding]

  init(_ findings: [Finding]) { self.findings = findings }

  /// - Parameter width: Of the terminal, in columns.
  func text(colour: Bool, width: Int) -> String {
    let names = findings.map(\.name.count).max() ?? 0
    var lines: [String] = []
    for finding in findings {
      let verdict = pad(finding.verdict.rawValue, 7)
      let head =
        "\(colour ? "\u{1B}[\(finding.verdict.colour)m\(verdict)\u{1B}[0m" : verdict)  \(pad(finding.name, names))  "
      let indent = String(repeating: " ", count: 7 + 2 + names + 2)
      let room = max(30, width - indent.count)
      let evidence = wrapped(finding.evidence, room)
      lines.append(head + (evidence.first ?? ""))
      lines += evidence.dropFirst().map { indent + $0 }
      guard let advice = finding.advice, finding.verdict != .ok else { continue }
      // a command stays on its line: it is there to be copied
      lines.append("\(indent)\(colour ? "\u{1B}[1m" : "")> \(advice)\(colour ? "\u{1B}[0m" : "")")
    }
    return (lines + ["", summary]).joined(separator: "\n")
  }

  private var summary: String {
    let counts = [(Finding.Verdict.problem, "problem"), (.warning, "warning")].compactMap { verdict, word -> String? in
      let count = findings.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    let unknown = findings.count { $0.verdict == .unknown }
    let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    return unknown == 0 ? found : "\(found); \(unknown) could not be seen"
  }

  private func pad(_ text: String, _ count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }

  private func wrapped(_ text: String, _ width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}

extension Finding.Verdict {
  /// Of ECMA-48's SGR.
  fileprivate var colour: Int {
    switch self {
    case .ok: 32
    case .warning: 33
    case .problem: 31
    case .unknown: 36
    }
  }
}
