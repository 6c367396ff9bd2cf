internal import CSimulation

/// How often each promise was checked, and each fault happened, over all runs. The memory is shared with the runs'
/// processes.
struct Tally {
  private nonisolated(unsafe) let numbers: UnsafeMutablePointer<Int64>

  /// - Returns: Nil if memory is short.
  init?() {
    guard let numbers = simulated_shared(Int32(Promise.allCases.count + Fault.allCases.count + 1)) else { return nil }
    self.numbers = numbers
  }

  func met(_ promise: Promise) { simulated_add(numbers + promise.rawValue, 1) }
  func met(_ fault: Fault, _ times: Int64 = 1) {
    simulated_add(numbers + Promise.allCases.count + fault.rawValue, times)
  }
  func stepped(_ steps: Int) { simulated_add(numbers + Promise.allCases.count + Fault.allCases.count, Int64(steps)) }

  func count(_ promise: Promise) -> Int64 { numbers[promise.rawValue] }
  func count(_ fault: Fault) -> Int64 { numbers[Promise.allCases.count + fault.rawValue] }
  var steps: Int64 { numbers[Promise.allCases.count + Fault.allCases.count] }
}
