internal import Glibc

/// How often a test plays what chance decides.
package enum Rounds {
  /// A seed for each round: a few for `make test`, as many as REGD_TEST_ROUNDS says for whoever wants to know.
  package static func seeds(_ few: Int) -> [Int] {
    let count = getenv("REGD_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? few
    return Array(1...max(1, count))
  }
}
