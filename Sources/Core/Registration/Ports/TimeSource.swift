/// The source of the current time. Passed as an argument, so that tests can choose the time.
package protocol TimeSource: Sendable {
  func now() -> Timestamp
}
