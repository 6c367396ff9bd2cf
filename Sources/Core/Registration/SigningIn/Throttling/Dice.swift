/// Draws the moments at which waits really end, with a key of this process that is never written down.
struct Dice: Sendable {
  private let key: SipHash
  private let half: Moment?
  private var draws: UInt64 = 0

  /// - Parameter half: `SignInLimits.luck`.
  init(_ half: Int?, using generator: inout some RandomNumberGenerator) {
    key = SipHash(using: &generator)
    self.half = half.map { Moment($0) }
  }

  var isLucky: Bool { half != nil }

  /// A random time in milliseconds. However long a wait has taken, it ends within a further `half` with a chance of one
  /// half. So no moment is better for a try than another.
  mutating func luck() -> Moment {
    guard let half else { return BackOff.longest }
    draws &+= 1
    return Self.luck(half, key.hash(UnsafeRawBufferPointer(start: nil, count: 0), after: draws))
  }

  /// - Parameter bits: Random.
  static func luck(_ half: Moment, _ bits: UInt64) -> Moment {
    // Each zero at the beginning adds one `half`. The bits at the end choose the moment within the next one.
    Moment(bits.leadingZeroBitCount) * half + (Moment(UInt32(truncatingIfNeeded: bits)) * half) >> 32
  }
}
