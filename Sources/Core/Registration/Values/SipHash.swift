/// SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012): 64 bits that are indistinguishable
/// from random without the key.
///
/// Swift's `Hasher` is unsuitable: it guarantees no algorithm, has fewer rounds, and gets its key from the process, in
/// which `SWIFT_DETERMINISTIC_HASHING` makes the key known. This implementation can be tested against published values.
struct SipHash: Sendable {
  private let key: (UInt64, UInt64)

  init(key: (UInt64, UInt64)) { self.key = key }

  init(using generator: inout some RandomNumberGenerator) { key = (generator.next(), generator.next()) }

  /// The hash of `word`, if given, as eight bytes with the lowest first, followed by `bytes`.
  func hash(_ bytes: UnsafeRawBufferPointer, after word: UInt64? = nil) -> UInt64 {
    var state = State(key)
    var length = bytes.count
    if let word {
      state.take(word)
      length += 8
    }
    var index = 0
    while index + 8 <= bytes.count {
      state.take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    // the last word: the remaining bytes, and the length modulo 256 in its highest byte
    var last = UInt64(truncatingIfNeeded: length) << 56
    var shift: UInt64 = 0
    while index < bytes.count {
      last |= UInt64(bytes[index]) << shift
      shift += 8
      index += 1
    }
    state.take(last)
    return state.finish()
  }

  private struct State {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    /// The constants are the ASCII of "somepseudorandomlygeneratedbytes".
    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736F_6D65_7073_6575
      v1 = key.1 ^ 0x646F_7261_6E64_6F6D
      v2 = key.0 ^ 0x6C79_6765_6E65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func finish() -> UInt64 {
      v2 ^= 0xFF
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = v1.rotated(13) ^ v0
      v3 = v3.rotated(16) ^ v2
      v0 = v0.rotated(32)
      v2 &+= v1
      v0 &+= v3
      v1 = v1.rotated(17) ^ v2
      v3 = v3.rotated(21) ^ v0
      v2 = v2.rotated(32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self &<< bits | self &>> (64 &- bits) }
}
