internal import Localization

/// Checks a local part, a dot-atom of RFC 5322 §3.2.3: atoms with single dots between them.
enum DotAtom {
  /// The problem of `text`, or nil if there is no problem.
  static func problem(in text: String, internationalized: Bool) -> LocalizedMessage? {
    var isAfterDot = true
    for scalar in text.unicodeScalars {
      if scalar == "." {
        if isAfterDot { return LocalizedMessage(EmailMessageKey.dots) }
        isAfterDot = true
        continue
      }
      isAfterDot = false
      if let problem = problem(with: scalar, internationalized: internationalized) { return problem }
    }
    return isAfterDot ? LocalizedMessage(EmailMessageKey.dots) : nil
  }

  private static func problem(with scalar: Unicode.Scalar, internationalized: Bool) -> LocalizedMessage? {
    guard !scalar.isASCII else { return ASCII.isText(UInt8(scalar.value)) ? nil : sentence(for: scalar) }
    guard internationalized else { return LocalizedMessage(EmailMessageKey.nameASCII) }
    // ≮ and ≯ are refused like < and >, because they are canonically equivalent to these with a combining stroke (UTS
    // #46 also treats both specially)
    if scalar == "\u{226E}" || scalar == "\u{226F}" { return sentence(for: scalar) }
    return InvisibleCharacters.contains(scalar) ? sentence(for: scalar) : nil
  }

  private static func sentence(for scalar: Unicode.Scalar) -> LocalizedMessage {
    switch scalar {
    case " ": LocalizedMessage(EmailMessageKey.space)
    case "@": LocalizedMessage(EmailMessageKey.secondAt)
    case "!"..."~", "\u{226E}", "\u{226F}":
      LocalizedMessage(EmailMessageKey.character, ["character": "\(scalar)"])
    default: LocalizedMessage(EmailMessageKey.invisible)
    }
  }
}

/// Host names in ASCII: letters, digits and hyphens (RFC 1123 §2.1), within the lengths of RFC 1035 §2.3.4.
package enum DomainName {
  /// The most octets of a domain.
  static let longest = 253

  /// The domain as A-labels, or nil if it is not a valid host name.
  package static func ascii(_ domain: String, _ normalizer: any TextNormalizer) -> String? {
    // a domain has at most 253 characters of at most four bytes, so longer texts need no mapping
    guard domain.utf8.count <= 4 * longest, var ascii = normalizer.asciiDomain(domain) else { return nil }
    return ascii.withUTF8({ isValid(UnsafeRawBufferPointer($0)) }) ? ascii : nil
  }

  /// - Parameter domain: In lower case.
  static func isValid(_ domain: UnsafeRawBufferPointer) -> Bool {
    guard domain.count <= longest else { return false }
    var (start, isNumber) = (0, false)
    for end in 0...domain.count where end == domain.count || domain[end] == UInt8(ascii: ".") {
      let label = domain[start..<end]
      guard isLabel(label) else { return false }
      isNumber = label.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
      start = end + 1
    }
    // an all-numeric top level would make it an IPv4 address (RFC 3696 §2)
    return !isNumber
  }

  private static func isLabel(_ label: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
      return false
    }
    return label.allSatisfy { byte in
      byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
    }
  }

  /// - Parameter domain: Valid, and in lower case.
  static func hasALabel(_ domain: UnsafeRawBufferPointer) -> Bool {
    domain.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "xn--".utf8) }
  }
}
