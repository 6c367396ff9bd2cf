internal import CoreMetrics
internal import Synchronization

/// A sum that many threads add to without a lock. It does not wrap, but remains at Int64.max.
struct Tally: ~Copyable, Sendable {
  /// A sum of this size or more counts as full, and reads as Int64.max. The range above it is room for additions by
  /// threads that have not seen yet that the sum is full.
  private static let full: UInt64 = 1 << 63
  /// Amounts of this size or more are added with a compare-and-set loop. Smaller ones cannot wrap the sum: Linux has at
  /// most 2^22 threads (proc_pid(5), PID_MAX_LIMIT), which together add less than 2^62 to a full sum, and 2^63 plus
  /// 2^62 fits into 64 bits.
  private static let large: UInt64 = 1 << 40

  private let sum = Atomic<UInt64>(0)

  var value: UInt64 { min(sum.load(ordering: .relaxed), Self.full - 1) }

  /// - Parameter amount: 0 to Int64.max.
  @inline(__always)
  func add(_ amount: UInt64) {
    guard amount < Self.large else { return addLarge(amount) }
    let (_, sum) = self.sum.wrappingAdd(amount, ordering: .relaxed)
    if sum >= Self.full { self.sum.store(Self.full, ordering: .relaxed) }
  }

  @inline(never)
  private func addLarge(_ amount: UInt64) {
    var old = sum.load(ordering: .relaxed)
    while true {
      let new = min(min(old, Self.full) + amount, Self.full)
      let (exchanged, found) = sum.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      guard !exchanged else { return }
      old = found
    }
  }

  func reset() { sum.store(0, ordering: .relaxed) }
}

/// Counts events (OpenMetrics, section "Counter"). Stays at Int64.max instead of wrapping.
final class IntegerCounter: CounterHandler, Metric {
  private let total = Tally()

  /// - Parameter amount: Values below 1 are ignored, because a counter never falls.
  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    total.add(UInt64(bitPattern: amount))
  }

  func reset() { total.reset() }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}

/// A Double that many threads change without a lock.
struct AtomicDouble: ~Copyable, Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  /// - Parameter amount: Must be finite. The sum is clamped to the finite numbers.
  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let largest = Double.greatestFiniteMagnitude
      let new = max(-largest, min(Double(bitPattern: old) + amount, largest)).bitPattern
      let (exchanged, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      guard !exchanged else { return }
      old = found
    }
  }
}

/// Sums fractions, such as seconds of processor time (OpenMetrics, section "Counter").
final class FractionalCounter: FloatingPointCounterHandler, Metric {
  private let total = AtomicDouble()

  /// - Parameter amount: Ignored unless finite and above 0.
  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    total.add(amount)
  }

  func reset() { total.set(0) }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}
