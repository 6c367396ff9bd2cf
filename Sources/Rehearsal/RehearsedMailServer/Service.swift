internal import Synchronization

/// The service behind the sockets: the present condition and the ledger.
final class Service: Sendable {
  private struct State {
    var condition: MailCondition
    var ledger = MailLedger()
    /// The recipients that have got 451 under the present condition.
    var greylisted: Set<String> = []
  }

  let rules: ServerRules
  private let onMail: (@Sendable (ReceivedMail) -> Void)?
  private let state: Mutex<State>

  init(_ condition: MailCondition, _ rules: ServerRules, onMail: (@Sendable (ReceivedMail) -> Void)?) {
    self.rules = rules
    self.onMail = onMail
    state = Mutex(State(condition: condition))
  }

  var ledger: MailLedger { state.withLock(\.ledger) }
  var condition: MailCondition { state.withLock(\.condition) }

  func play(_ condition: MailCondition) {
    state.withLock { state in
      state.condition = condition
      state.greylisted = []
    }
  }

  func countConnection() { state.withLock { $0.ledger.connections += 1 } }

  func complain(_ complaints: [String]) { state.withLock { $0.ledger.complaints += complaints } }

  func accept(_ mail: ReceivedMail) {
    state.withLock { $0.ledger.mails.append(mail) }
    onMail?(mail)
  }

  /// Counts one RCPT command for a recipient.
  ///
  /// - Returns: Whether the recipient must be tried again later.
  func isGreylisted(_ recipient: String) -> Bool {
    state.withLock { state in
      state.ledger.tries[recipient, default: 0] += 1
      return state.condition == .greylisting && state.greylisted.insert(recipient).inserted
    }
  }
}
