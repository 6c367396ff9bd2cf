extension UpstreamServer {
  package typealias RequestHook = @Sendable (Moment) -> Void

  /// A moment in the processing of a request.
  package struct Moment: Sendable {
    package enum Kind: Sendable {
      /// The server has read the request, and not executed it.
      case read
      /// The server has executed the request, or decided not to, and has not answered yet.
      case acted
    }

    package let kind: Kind
    package let request: ServiceRequest
    /// The index of this call among the operation's calls since the last `play`, from 0.
    package let number: Int

    init(_ call: RegistrationService.Call, _ kind: Kind) {
      self.kind = kind
      request = call.request
      number = call.number
    }
  }
}
