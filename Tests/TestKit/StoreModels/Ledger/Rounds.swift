internal import Glibc

/// The number of random runs of a test.
package enum Rounds {
  /// A seed for each round. REGD_TEST_ROUNDS is the number of rounds (default: `few`, which `make test` uses).
  package static func seeds(_ few: Int) -> [Int] {
    let count = getenv("REGD_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? few
    return Array(1...max(1, count))
  }
}
