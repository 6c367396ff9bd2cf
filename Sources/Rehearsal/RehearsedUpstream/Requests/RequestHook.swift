package import RehearsedNetworks

extension UpstreamServer {
  package typealias RequestHook = @Sendable (Moment) -> Void

  /// A moment in a request's life.
  package struct Moment: Sendable {
    package enum Kind: Sendable {
      /// It was read; nothing has been done.
      case read
      /// What will be done was done, be it nothing; nothing has been answered.
      case acted
    }

    package let kind: Kind
    package let demand: Demand
    /// Of its operation since `play`, from 0.
    package let number: Int
    /// What is played to it.
    package let step: Script.Step

    init(_ call: Upstream.Call, _ kind: Kind) {
      self.kind = kind
      demand = call.demand
      number = call.number
      step = call.step
    }
  }
}
