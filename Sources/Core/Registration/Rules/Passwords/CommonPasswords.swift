/// The passwords that attackers try first: the most frequent ones of published leaks, case-folded. The list is compiled
/// into the program (`list`).
enum CommonPasswords {
  /// Whether the list contains the case-folded password. Uses binary search, without copying the list.
  static func contains(_ folded: some Sequence<UInt8>) -> Bool {
    let words = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var low = 0
    var high = words.count
    while low < high {
      // finds the word around the middle, up to the white space character on each side
      var start = (low + high) / 2
      while start > low, !isSeparator(words[start - 1]) { start -= 1 }
      var end = start
      while end < high, !isSeparator(words[end]) { end += 1 }
      let word = words[start..<end]
      if word.elementsEqual(folded) { return true }
      if word.lexicographicallyPrecedes(folded) { low = end + 1 } else { high = start }
    }
    return false
  }

  /// Whether the list may contain the password. False is certain. For fewer than one in a hundred of the passwords that
  /// are not in the list, the result is also true.
  ///
  /// - Parameter password: ASCII, in upper or lower case.
  static func mayContain(_ password: UnsafeRawBufferPointer) -> Bool {
    var hash = Self.seed
    for byte in password { hash = (hash ^ UInt64(ASCII.lowercased(byte))) &* Self.prime }
    return probes(of: hash) { filter[Int($0 >> 6)] &>> ($0 & 63) & 1 == 1 }
  }

  /// A Bloom filter of the list: 2^18 bits, which is 14 per word. Each word sets three bits.
  private static let filter: [UInt64] = {
    var filter = [UInt64](repeating: 0, count: 1 << 12)
    let words = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var hash = seed
    for byte in words {
      guard isSeparator(byte) else {
        hash = (hash ^ UInt64(byte)) &* prime
        continue
      }
      set(hash, &filter)
      hash = seed
    }
    set(hash, &filter)
    return filter
  }()

  private static func set(_ hash: UInt64, _ filter: inout [UInt64]) {
    _ = probes(of: hash) { bit in
      filter[Int(bit >> 6)] |= 1 &<< (bit & 63)
      return true
    }
  }

  /// The constants of FNV-1a.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let prime: UInt64 = 0x0000_0100_0000_01B3

  /// Tests three bits, and stops at the first that is not set.
  @inline(__always) private static func probes(of hash: UInt64, _ isSet: (UInt64) -> Bool) -> Bool {
    let mixed = hash ^ hash &>> 29
    return isSet(mixed & 0x3FFFF) && isSet(mixed &>> 18 & 0x3FFFF) && isSet(mixed &>> 36 & 0x3FFFF)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
