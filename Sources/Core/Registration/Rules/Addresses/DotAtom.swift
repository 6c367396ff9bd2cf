internal import Sentences

/// The local part of RFC 5322 §3.2.3: atoms with single dots between them.
enum DotAtom {
  /// The problem of `text`; nil if there is none.
  static func problem(in text: String, internationalized: Bool) -> Sentence? {
    var isAfterDot = true
    for scalar in text.unicodeScalars {
      if scalar == "." {
        if isAfterDot { return Sentence(EmailSentence.dots) }
        isAfterDot = true
        continue
      }
      isAfterDot = false
      if let problem = problem(with: scalar, internationalized: internationalized) { return problem }
    }
    return isAfterDot ? Sentence(EmailSentence.dots) : nil
  }

  private static func problem(with scalar: Unicode.Scalar, internationalized: Bool) -> Sentence? {
    guard !scalar.isASCII else { return ASCII.isText(UInt8(scalar.value)) ? nil : sentence(for: scalar) }
    guard internationalized else { return Sentence(EmailSentence.nameASCII) }
    // < and > with a stroke, which are canonically equivalent to the two characters with a combining stroke (UTS #46 treats the
    // same two specially)
    if scalar == "\u{226E}" || scalar == "\u{226F}" { return sentence(for: scalar) }
    return InvisibleCharacters.contains(scalar) ? sentence(for: scalar) : nil
  }

  private static func sentence(for scalar: Unicode.Scalar) -> Sentence {
    switch scalar {
    case " ": Sentence(EmailSentence.space)
    case "@": Sentence(EmailSentence.secondAt)
    case "!"..."~", "\u{226E}", "\u{226F}":
      Sentence(EmailSentence.character, ["character": "\(scalar)"])
    default: Sentence(EmailSentence.invisible)
    }
  }
}

/// Host names in ASCII: RFC 1123 §2.1 letters, digits and hyphens; RFC 1035 §2.3.4 lengths.
package enum DomainName {
  package static func isValid(_ domain: String) -> Bool {
    guard domain.utf8.count <= 253 else { return false }
    let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, labels.allSatisfy(isLabel) else { return false }
    // an all-numeric top level would make it an IPv4 address (RFC 3696 §2)
    return !last.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
      return false
    }
    return label.allSatisfy { byte in
      byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
    }
  }
}
