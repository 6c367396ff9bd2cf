/// Where the time comes from; an argument, so that tests choose it.
package protocol TimeSource: Sendable {
  func now() -> Timestamp
}
