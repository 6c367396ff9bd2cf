internal import FullScreen
internal import Localization
internal import UserMessages

/// Formats the findings for a person.
struct DoctorReport {
  private let findings: [Finding]
  private let glyphs = Glyphs.ofLocale()

  init(_ findings: [Finding]) { self.findings = findings }

  /// - Parameter width: The terminal's columns.
  func text(colour: Bool, width: Int) -> String {
    let names = findings.map(\.name.count).max() ?? 0
    let verdicts = max(7, findings.map { glyphs.cells(Speech.text($0.verdict.sentence)).columns }.max() ?? 0)
    var lines: [String] = []
    for finding in findings {
      let verdict = pad(Speech.text(finding.verdict.sentence), verdicts)
      let head =
        "\(colour ? "\u{1B}[\(finding.verdict.colour)m\(verdict)\u{1B}[0m" : verdict)  \(pad(HarmlessText.line(finding.name), names))  "
      let indent = String(repeating: " ", count: verdicts + 2 + names + 2)
      let room = max(30, width - indent.count)
      let evidence = glyphs.wrapped(HarmlessText.lines(finding.evidence), columns: room).map {
        glyphs.isolated($0.text, Speech.language)
      }
      lines.append(head + (evidence.first ?? ""))
      lines += evidence.dropFirst().map { indent + $0 }
      guard let advice = finding.advice, finding.verdict != .ok else { continue }
      // a command is never wrapped, because users copy it
      lines.append("\(indent)\(colour ? "\u{1B}[1m" : "")> \(HarmlessText.line(advice))\(colour ? "\u{1B}[0m" : "")")
    }
    return (lines + ["", summary]).joined(separator: "\n")
  }

  private var summary: String {
    let counts = [(Finding.Verdict.problem, DoctorMessageKey.problems), (.warning, .warnings)].compactMap {
      verdict, key -> LocalizedMessage? in
      let count = findings.count { $0.verdict == verdict }
      return count == 0 ? nil : LocalizedMessage(key, ["count": .number(count)])
    }
    let found = counts.dropFirst().reduce(counts.first ?? LocalizedMessage(DoctorMessageKey.nothing)) { all, next in
      LocalizedMessage(ListMessageKey.comma, ["first": .sentence(all), "second": .sentence(next)])
    }
    let unknown = findings.count { $0.verdict == .unknown }
    guard unknown > 0 else { return Speech.text(found) }
    return Speech.text(DoctorMessageKey.notSeen, ["found": .sentence(found), "count": .number(unknown)])
  }

  private func pad(_ text: String, _ count: Int) -> String {
    glyphs.isolated(text, Speech.language)
      + String(repeating: " ", count: max(0, count - glyphs.cells(text).columns))
  }
}

extension Finding.Verdict {
  fileprivate var sentence: LocalizedMessage {
    switch self {
    case .ok: LocalizedMessage(DoctorMessageKey.ok)
    case .warning: LocalizedMessage(DoctorMessageKey.warning)
    case .problem: LocalizedMessage(DoctorMessageKey.problem)
    case .unknown: LocalizedMessage(DoctorMessageKey.unknown)
    }
  }

  /// The color's SGR parameter (ECMA-48).
  fileprivate var colour: Int {
    switch self {
    case .ok: 32
    case .warning: 33
    case .problem: 31
    case .unknown: 36
    }
  }
}
