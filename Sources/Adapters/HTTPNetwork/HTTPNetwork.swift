internal import AsyncPrimitives
package import CurlTransfers
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
  /// Registers as `register` does. regctl's doctor calls it twice to test whether the upstream recognizes a repeated
  /// Idempotency-Key.
  ///
  /// - Throws: As `register`.
  package func tryRegistration(
    _ registration: UpstreamRegistration, within limit: Duration
  ) async throws(NetworkFailure) -> TriedRegistration {
    let now = ContinuousClock.now
    let transfer = Transfer(.registration(registration), .daemon, startBy: now + limit, until: now + limit)
    let reply = await send(transfer)
    switch try HTTPVerdict.registration(reply, now: Timestamp(microseconds: 0)).get() {
    case .taken: return .taken
    case .registered:
      guard let id = AnswerBody.id(reply.body) else { throw .malformedResponse }
      return .registered(id: id)
    }
  }

  package enum StartFailure: Error, Equatable {
    /// The configuration is wrong. Holds the problem in words.
    case unusable(String)
    /// libcurl's global or multi set-up failed.
    case libraryFailed
    case threadFailed(errorNumber: Int32)
  }

  /// The upstream's address, how regd and the upstream authenticate, deadlines and maxima.
  package struct Configuration: Equatable, Sendable {
    /// `https://host[:port][/path]`. `BaseURLProblem.of` must return nil for it.
    package var baseURL: String
    /// Whether plain HTTP may be used to another machine.
    package var allowsPlaintext = false
    /// A PEM file of the only trusted authorities. If it is nil, those of the system are trusted. libcurl reads a
    /// changed file again within a minute.
    package var caFile: String?
    /// Sent as `Authorization: Bearer`.
    package var bearerToken: Secret?
    /// A PEM file. The key may be in the same file. A key with a passphrase is refused, because a daemon cannot ask
    /// anyone for it.
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// The limit for the name look-up, the connection and the TLS handshake together.
    package var connect = Duration.seconds(2)
    /// The limit from the call to the end of the answer, including the wait for a connection.
    package var total = Duration.seconds(5)
    /// The half of `total` that a request may wait for a connection. The other half is left for the upstream to answer,
    /// so that regd's own congestion is not reported as a slow upstream.
    var waiting: Duration { total / 2 }
    /// The longest idle time after which a kept-alive connection is reused, in whole seconds. Shorter than the few
    /// minutes after which upstreams usually close theirs.
    package var idle = Duration.seconds(118)
    package var maximumBodyBytes = 65_536
    /// The most connections at once. Further requests wait for a free one, and the callers' uids take turns.
    package var maximumConnections = 64
    /// The most requests of one uid that may wait.
    package var maximumWaiting = 256
    package var userAgent = "regd"

    /// The first problem of the configuration, in words that quote no value, or nil if the configuration has no
    /// problem. Does not look at files, which may appear later.
    package var problem: String? {
      if let problem = BaseURLProblem.of(baseURL, allowsPlaintext: allowsPlaintext) {
        return "the base URL \(problem)"
      }
      // the token goes into a header, where a line feed would begin another header
      if let token = bearerToken?.value, token.isEmpty || !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
        return "the bearer token is empty or contains characters other than visible ASCII"
      }
      if !userAgent.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
        return "the user agent contains characters other than ASCII"
      }
      if clientKeyFile != nil, clientCertificateFile == nil { return "there is a client key without a certificate" }
      if connect <= .zero || total <= .zero { return "the times must be greater than 0" }
      if maximumBodyBytes < 1 || maximumConnections < 1 || maximumWaiting < 1 { return "the maxima must be 1 or more" }
      return nil
    }

    /// The base URL without the slashes at its end, because every path that is appended to it begins with a slash.
    var base: Substring {
      baseURL[..<(baseURL.lastIndex { $0 != "/" }.map(baseURL.index(after:)) ?? baseURL.startIndex)]
    }
  }
}

extension HTTPNetwork.Configuration {
  package init(baseURL: String) { self.init(baseURL: baseURL, allowsPlaintext: false) }
}

/// An upstream's answer to `tryRegistration`: an `UpstreamAnswer` with the upstream's id of the account, which must be
/// the same in the answer to a repeat.
package enum TriedRegistration: Equatable, Sendable {
  case registered(id: String)
  /// The upstream answered 409: the address has an account.
  case taken
}

/// A failed request, for the log. Contains neither a secret nor an end user's address.
package struct HTTPReport: Equatable, Sendable {
  package enum Operation: String, Sendable {
    case availability
    case registration
    case session
  }

  package let operation: Operation
  package let failure: NetworkFailure
  /// The answer's status, or nil without an answer.
  package let status: Int?
  /// How often the request went out, or 0 if never.
  package let sendings: Int
  /// libcurl's message, which is empty if libcurl succeeded and the answer is not as agreed.
  package let message: String
  package let milliseconds: Int

  init(_ operation: Operation, _ failure: NetworkFailure, _ reply: UpstreamReply, took duration: Duration) {
    self.operation = operation
    self.failure = failure
    status = reply.status
    sendings = reply.sendings
    message = Self.harmless(reply.message)
    milliseconds = Int(duration / .milliseconds(1))
  }

  /// Makes libcurl's message fit for the log. libcurl names hosts and certificates, but no paths. A message that
  /// nevertheless seems to contain an end user's address is withheld.
  static func harmless(_ message: String) -> String {
    guard !message.contains("@"), !message.contains("%40"), !message.contains("/emails/") else { return "(withheld)" }
    return String(String.UnicodeScalarView(message.unicodeScalars.prefix(300).filter { 0x20...0x7E ~= $0.value }))
  }
}
