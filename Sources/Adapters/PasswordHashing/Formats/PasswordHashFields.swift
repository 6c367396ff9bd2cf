internal import CSodium

/// What the fields of a password hash are made of: numbers with names, and bytes in base64.
enum PasswordHashFields {
  /// The bytes between two dollar signs.
  typealias Field = ArraySlice<UInt8>

  /// `name=number,name=number`, with exactly these names, in this order.
  static func numbers(
    in field: Field, _ names: [(name: String, part: PasswordHashFault.Part)]
  ) throws(PasswordHashFault) -> [Int] {
    let pairs = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isComplete =
      pairs.count == names.count && zip(pairs, names).allSatisfy { $0.starts(with: "\($1.name)=".utf8) }
    guard isComplete else {
      let form = names.map { "\($0.name)=…" }.joined(separator: ",")
      throw .malformed(.parameters, expected: "\(form), in this order and without others")
    }
    var numbers: [Int] = []
    for (pair, (name, part)) in zip(pairs, names) {
      guard let number = number(pair.dropFirst(name.utf8.count + 1)) else {
        throw .malformed(
          part, expected: "a whole number of one to nine digits that is not 0, without a sign or leading zeros")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// 1 to 999999999. So few digits that the product of two numbers is an Int.
  private static func number(_ digits: Field) -> Int? {
    guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var number = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// The salt or the value of a PHC string: base64 of RFC 4648 §4 without padding.
  static func bytes(
    in field: Field, _ part: PasswordHashFault.Part
  ) throws(PasswordHashFault) -> [UInt8] {
    guard let bytes = decode(field) else {
      throw .malformed(part, expected: "canonical base64 in the standard alphabet (A-Z a-z 0-9 + /), without padding")
    }
    return bytes
  }

  /// Base64 of the standard alphabet without padding, by libsodium; nil for anything else. Bits that are left over at the
  /// end are zero, so that no two texts are the same bytes (RFC 4648 §3.5).
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let characters = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: characters.count)
    var count = 0
    let failure = sodium_base642bin(
      &bytes, bytes.count, characters, characters.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
    return failure == 0 ? Array(bytes.prefix(count)) : nil
  }
}
