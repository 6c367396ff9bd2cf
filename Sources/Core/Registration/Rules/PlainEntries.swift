/// The quick way for what most people type: an ASCII address and an ASCII password without fault. It says yes where
/// every rule certainly holds, copies nothing and allocates nothing; everything else goes the long way, which knows
/// what is wrong. Both ways give the same verdicts, which a test holds them to.
extension RegistrationRules {
  /// Whether the entry certainly breaks no rule. The address's key is then the address in small letters.
  ///
  /// - Parameters: The three fields as they were typed, in UTF-8.
  package func certainlyAccepts(
    email: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, confirmation: UnsafeRawBufferPointer
  ) -> Bool {
    guard let at = self.email.certainlyAccepts(email) else { return false }
    return ASCII.areEqual(password, confirmation) && self.password.certainlyAccepts(password, email: email, at: at)
  }
}

extension EmailRules {
  /// - Returns: Where the @ stands, if the address certainly breaks no rule.
  func certainlyAccepts(_ typed: UnsafeRawBufferPointer) -> Int? {
    guard typed.count <= maximumLength, blockedDomains.isEmpty else { return nil }
    var at = 0
    var isAfterDot = true
    while at < typed.count, typed[at] != UInt8(ascii: "@") {
      let byte = typed[at]
      if byte == UInt8(ascii: ".") {
        if isAfterDot { return nil }
        isAfterDot = true
      } else {
        guard ASCII.isText(byte) else { return nil }
        isAfterDot = false
      }
      at &+= 1
    }
    guard !isAfterDot, (1...Self.maximumLocalLength).contains(at) else { return nil }
    return Self.isPlainDomain(typed, from: at &+ 1) ? at : nil
  }

  /// Two labels or more of letters, digits and hyphens, the last with a letter, and none that is an A-label.
  private static func isPlainDomain(_ typed: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard typed.count &- start <= 253 else { return false }
    var label = start
    var labels = 1
    var hasLetter = false
    var position = start
    while position <= typed.count {
      guard position < typed.count, typed[position] != UInt8(ascii: ".") else {
        let length = position &- label
        guard (1...63).contains(length), typed[label] != UInt8(ascii: "-"), typed[position &- 1] != UInt8(ascii: "-"),
          length < 4 || typed[label &+ 2] != UInt8(ascii: "-") || typed[label &+ 3] != UInt8(ascii: "-")
        else { return false }
        if position == typed.count { return labels >= 2 && hasLetter }
        labels &+= 1
        hasLetter = false
        position &+= 1
        label = position
        continue
      }
      let byte = ASCII.lowercased(typed[position])
      if byte &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-") {
        hasLetter = true
      } else if byte &- UInt8(ascii: "0") >= 10 {
        return false
      }
      position &+= 1
    }
    return false
  }
}

extension PasswordPolicy {
  /// - Parameters:
  ///   - email: An address that breaks no rule.
  ///   - at: Where its @ stands.
  func certainlyAccepts(_ password: UnsafeRawBufferPointer, email: UnsafeRawBufferPointer, at: Int) -> Bool {
    guard password.count >= max(1, minimumLength), password.count <= maximumLength, ASCII.isWhole(password) else {
      return false
    }
    if refuseCommon, CommonPasswords.mayContain(password) { return false }
    if hasBreachedList, let breached, breached.contains(password) { return false }
    return !refuseResemblingEmail || !Self.resembles(password, email, at)
  }

  private static func resembles(_ password: UnsafeRawBufferPointer, _ email: UnsafeRawBufferPointer, _ at: Int) -> Bool
  {
    guard password.count <= email.count else { return false }
    let domain = UnsafeRawBufferPointer(rebasing: email[(at + 1)...])
    let label = UnsafeRawBufferPointer(rebasing: domain[..<(domain.firstIndex(of: UInt8(ascii: ".")) ?? domain.count)])
    return ASCII.areSame(password, email) || ASCII.areSame(password, UnsafeRawBufferPointer(rebasing: email[..<at]))
      || ASCII.areSame(password, domain) || ASCII.areSame(password, label)
  }
}

/// Facts about ASCII.
enum ASCII {
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    var index = 0
    while index < bytes.count {
      all |= bytes[index]
      index &+= 1
    }
    return all < 0x80
  }

  /// Whether both are the same bytes, eight at a time.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var index = 0
    while index &+ 8 <= one.count {
      if one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      {
        return false
      }
      index &+= 8
    }
    while index < one.count {
      if one[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }

  /// Whether both are the same but for the case of letters.
  static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var index = 0
    while index < one.count {
      if lowercased(one[index]) != lowercased(other[index]) { return false }
      index &+= 1
    }
    return true
  }

  /// `atext` of RFC 5322 §3.2.3: letters, digits and !#$%&'*+-/=?^_`{|}~.
  @inline(__always)
  static func isText(_ byte: UInt8) -> Bool {
    let mask: UInt64 = byte < 64 ? 0xA3FF_ACFA_0000_0000 : 0x7FFF_FFFF_C7FF_FFFE
    return byte < 0x80 && mask &>> UInt64(byte & 63) & 1 == 1
  }
}
