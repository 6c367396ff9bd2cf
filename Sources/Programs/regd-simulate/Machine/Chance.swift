/// A generator of pseudo-random numbers that a seed determines (splitmix64: G. Steele, D. Lea, C. Flood, 2014).
struct Chance {
  private var state: UInt64

  /// - Parameter purpose: Each purpose has its own stream. Taking from one does not affect the others.
  init(seed: UInt64, purpose: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ purpose &* 0xD1B5_4A32_D192_ED03
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// - Parameter count: 1 or more.
  mutating func below(_ count: Int) -> Int { Int(next() >> 33) % count }

  /// True with a probability of 1 in `times`.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
