internal import CSodium
internal import Localization

/// Parsers of a password hash's fields: named numbers, and bytes in base64.
enum PasswordHashFields {
  /// The bytes between two dollar signs.
  typealias Field = ArraySlice<UInt8>

  /// Parses `name=number,name=number` with exactly these names, in this order.
  static func numbers(
    in field: Field, _ names: [(name: String, part: PasswordHashFault.Part)]
  ) throws(PasswordHashFault) -> [Int] {
    let pairs = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isComplete =
      pairs.count == names.count && zip(pairs, names).allSatisfy { $0.starts(with: "\($1.name)=".utf8) }
    guard isComplete else {
      let form = names.map { "\($0.name)=…" }.joined(separator: ",")
      throw .malformed(.parameters, expected: .hash(.expectedParameters, ["form": .text(form)]))
    }
    var numbers: [Int] = []
    for (pair, (name, part)) in zip(pairs, names) {
      numbers.append(try wholeNumber(pair.dropFirst(name.utf8.count + 1), part))
    }
    return numbers
  }

  /// Parses a number from 1 to 999999999.
  static func wholeNumber(_ digits: Field, _ part: PasswordHashFault.Part) throws(PasswordHashFault) -> Int {
    guard let number = number(digits) else {
      throw .malformed(
        part, expected: .hash(.expectedNumber))
    }
    return number
  }

  /// Decodes base64 of RFC 4648 §4 with padding.
  static func padded(_ field: Field, _ part: PasswordHashFault.Part) throws(PasswordHashFault) -> [UInt8] {
    let padding = (4 - field.count % 4) % 4
    let digits = field.prefix { $0 != UInt8(ascii: "=") }
    guard padding == 0, field.count - digits.count <= 2,
      field.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") }), let bytes = decode(digits)
    else {
      throw .malformed(part, expected: .hash(.expectedPaddedBase64))
    }
    return bytes
  }

  /// Parses a number from 1 to 999999999. Returns nil for any other text. The product of two such numbers fits into an Int.
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

  /// Decodes the salt or the value of a PHC string: base64 of RFC 4648 §4 without padding.
  static func bytes(
    in field: Field, _ part: PasswordHashFault.Part
  ) throws(PasswordHashFault) -> [UInt8] {
    guard let bytes = decode(field) else {
      throw .malformed(part, expected: .hash(.expectedBase64))
    }
    return bytes
  }

  /// Decodes unpadded base64 of the standard alphabet with libsodium. Returns nil for anything else. Unused bits at the end must
  /// be zero, so that no two texts give the same bytes (RFC 4648 §3.5).
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let characters = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: characters.count)
    var count = 0
    let failure = sodium_base642bin(
      &bytes, bytes.count, characters, characters.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
    return failure == 0 ? Array(bytes.prefix(count)) : nil
  }
}
