internal import AsyncPrimitives
internal import CurlTransfers
package import Registration
internal import Tracing

/// The upstream over HTTP (<doc:Upstream>), with Debian's libcurl on a separate thread.
///
/// libcurl may send a request twice: if a kept-alive connection turns out dead, libcurl sends the request again on a
/// new one, under the same `Idempotency-Key`. `HTTPVerdict` needs the number of sendings, because an answer to the second
/// shows nothing about the first.
package final class HTTPNetwork: NetworkService {
  private let configuration: Configuration
  private let loop: TransferLoop<TransfersInFlight>
  private let time: any TimeSource
  private let report: @Sendable (HTTPReport) -> Void

  /// - Parameters:
  ///   - time: The clock that turns a Retry-After date into seconds.
  ///   - report: Called with every failure except regd's own congestion, on the thread of the caller's task. Must not
  ///     block.
  package init(
    _ configuration: Configuration, time: any TimeSource, report: @escaping @Sendable (HTTPReport) -> Void = { _ in }
  ) throws(StartFailure) {
    if let problem = configuration.problem { throw .unusable(problem) }
    self.configuration = configuration
    loop = try Self.loop(configuration)
    self.time = time
    self.report = report
  }

  /// Starts libcurl's loop, which keeps up to `maximumConnections` idle connections for reuse.
  static func loop(_ configuration: Configuration) throws(StartFailure) -> TransferLoop<TransfersInFlight> {
    do {
      return try TransferLoop(name: "regd-http", keeping: configuration.maximumConnections) {
        TransfersInFlight($0, configuration)
      }
    } catch {
      switch error {
      case .libraryFailed: throw .libraryFailed
      case .threadFailed(let number): throw .threadFailed(errorNumber: number)
      }
    }
  }

  deinit { loop.stop() }

  /// Ends transfers in flight with a failure, closes all connections and waits until the thread has ended. Later calls
  /// fail with `offline`.
  package func stop() { loop.stopAndWait() }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await ask(.availability(email), share, HTTPVerdict.availability)
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    try await ask(.registration(registration), share, HTTPVerdict.registration)
  }

  /// Waits for the answer even if the caller's task is cancelled, because regd must remember a refusal. The wait ends
  /// at the limit `total`, or when `stop` is called.
  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await ask(.session(email, password), share, isCancellable: false, HTTPVerdict.session)
  }

  private func ask<Answer>(
    _ request: UpstreamRequest, _ share: Share, isCancellable: Bool = true,
    _ judge: (UpstreamReply, Timestamp) -> Result<Answer, NetworkFailure>
  ) async throws(NetworkFailure) -> Answer {
    let start = ContinuousClock.now
    var request = request
    request.traceparent = Trace.current?.traceparent()
    let transfer = Transfer(
      request, share, startBy: start + configuration.waiting, until: start + configuration.total)
    if isCancellable, Task.isCancelled { transfer.cancel() }
    let reply = await send(transfer, isCancellable: isCancellable)
    let verdict = judge(reply, time.now())
    if case .failure(let failure) = verdict, !failure.isOwn {
      report(HTTPReport(request.operation, failure, reply, took: ContinuousClock.now - start))
    }
    return try verdict.get()
  }

  /// Submits the transfer and waits for its reply, which always comes: the loop finishes every submitted transfer once.
  func send(_ transfer: Transfer, isCancellable: Bool = false) async -> UpstreamReply {
    loop.submit(transfer)
    return await transfer.reply.value { if isCancellable { loop.cancel(transfer) } }
  }
}

extension HTTPNetwork {
  package enum StartFailure: Error, Equatable {
    /// The configuration is wrong. Holds the problem in words.
    case unusable(String)
    /// libcurl's global or multi set-up failed.
    case libraryFailed
    case threadFailed(errorNumber: Int32)
  }
}
