internal import CoreMetrics
internal import Synchronization

/// A sum that many threads add to, which stands still at Int64.max and never wraps.
struct Tally: ~Copyable, Sendable {
  /// More than a sum shows, so that what is added on top of a full one has room.
  private static let full: UInt64 = 1 << 63
  /// Amounts from here on are added with a loop. Linux has no more than 2^22 threads (proc_pid(5), PID_MAX_LIMIT), so
  /// that what all of them add at once to a full sum is at most 2^62, and 2^63 and 2^62 fit into 64 bits.
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

/// Counts events (section "Counter"). From Int64.max on it stands still.
final class IntegerCounter: CounterHandler, Metric {
  private let total = Tally()

  /// - Parameter amount: Nothing happens below 1, for a counter does not fall.
  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    total.add(UInt64(bitPattern: amount))
  }

  func reset() { total.reset() }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}

/// A Double that many threads change.
struct AtomicDouble: ~Copyable, Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  /// - Parameter amount: Finite. A sum beyond all finite numbers stays at the last of them.
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

/// Counts what has no whole number, such as seconds of processor time (section "Counter").
final class FractionalCounter: FloatingPointCounterHandler, Metric {
  private let total = AtomicDouble()

  /// - Parameter amount: Nothing happens unless it is finite and above 0.
  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    total.add(amount)
  }

  func reset() { total.set(0) }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}
