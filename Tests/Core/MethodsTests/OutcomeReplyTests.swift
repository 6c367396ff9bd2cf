import JSONRPC
import Reasons
import TestDoubles
import Testing

@testable import Methods
@testable import Registration

@Suite("Replies to outcomes")
struct OutcomeReplyTests {
  @Test("an internal fault is rpc.internal and not retryable, and a registration may be pending")
  func fault() {
    let fault = InternalFault(SignInEvent.noted, in: "looking")
    let signIn = OutcomeReplies.reply(to: SignInOutcome.obstructed(.fault(fault)), nil, nil)
    #expect(signIn == .error(.internal))
    guard
      case .error(let error) = OutcomeReplies.reply(
        to: RegistrationOutcome.obstructed(.fault(fault), isPending: true), nil)
    else {
      Issue.record("a fault is no success")
      return
    }
    #expect(error.reason == .internal)
    #expect(!error.retryable)
    #expect(error.pending == true)
    // Only the log contains the detail.
    #expect(!error.message.contains("noted"))
  }
}
