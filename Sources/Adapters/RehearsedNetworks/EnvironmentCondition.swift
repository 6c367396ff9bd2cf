/// A condition of upstream or store, simulated by an environment (a configuration file for client authors), and a
/// possible value of the file's `environment.gives`. The matrix of client flows and conditions switches over these
/// cases, so for a new case the compiler finds every flow without an expectation.
package enum EnvironmentCondition: String, CaseIterable, Sendable {
  /// Everything works.
  case success

  // MARK: The upstream has certainly done nothing

  /// The upstream cannot be reached.
  case offline
  /// The upstream answers 503.
  case unavailable
  /// The upstream's certificate cannot be verified.
  case untrusted
  /// The upstream refuses the request (4xx), and would also refuse a repeat.
  case rejected
  /// The upstream limits the rate of requests (429).
  case throttled

  // MARK: The upstream may have done what it was asked

  /// The upstream sends no complete answer in time.
  case timeout
  /// The upstream answers with success and no body.
  case emptyResponse
  /// The upstream's body or status is not the agreed one.
  case malformedResponse
  /// The upstream answers 5xx, or the connection breaks after the request was sent.
  case failed

  // MARK: The upstream answers differently from call to call, or without a fault

  /// The upstream has every address already.
  case taken
  /// The upstream answers the first call of each operation with 503, and then works.
  case recovering
  /// The upstream does not answer the first registration in time, and answers repeats with 409 while it still works on
  /// the first.
  case atWork
  /// The upstream executes the first registration, but a proxy answers 503 to it.
  case hiddenSuccess
  /// The upstream answers every other call with 503.
  case flapping

  // MARK: The store

  /// The store is read-only.
  case storeReadOnly
  /// The store has no space left.
  case storeFull
  /// Another process holds the store's lock.
  case storeLocked
  /// The store's commits fail in a way that leaves their effect unknown.
  case storeCommitFails
  /// Another file has replaced the store's database file.
  case storeReplaced
}
