internal import AsyncPrimitives
internal import JSONRPC
internal import Registration
internal import Synchronization
internal import WireProtocols

/// The open forms of one connection. When the connection closes, the forms are closed and the passwords in them are wiped.
final class OpenForms: Sendable {
  /// The most forms of a connection.
  static let capacity = 64

  private struct Guarded {
    var forms: [Int: OpenForm] = [:]
    var last = 0
  }

  private let guarded = Mutex(Guarded())

  /// - Returns: The new form, or nil if there is no room for it.
  func open(_ make: (Int) -> OpenForm) -> OpenForm? {
    guarded.withLock { guarded in
      guard guarded.forms.count < Self.capacity else { return nil }
      guarded.last += 1
      let form = make(guarded.last)
      guarded.forms[guarded.last] = form
      return form
    }
  }

  func form(_ number: Int) -> OpenForm? { guarded.withLock { $0.forms[number] } }

  /// After a claim has changed: updates the forms that show it, and notifies the caller after the reply.
  func follow(_ claim: AddressClaim, _ session: Session) {
    for form in guarded.withLock({ Array($0.forms.values) }) {
      form.with { $0.follow(FormClaim(claim)) }
      session.afterReply { FormReplies.tellIfChanged(form, session) }
    }
  }

  /// - Returns: Whether a form with this number was open.
  func close(_ number: Int) -> Bool {
    // the form is released outside the lock
    let closed = guarded.withLock { $0.forms.removeValue(forKey: number) }
    return closed != nil
  }
}

/// An open form. While the form has work in flight, calls of `form.submit` wait in `rest`.
final class OpenForm: Sendable {
  /// The screen for which the form holds the state.
  enum Kind: String, CaseIterable {
    case registration, signIn, recovery
  }

  private struct Guarded {
    var form: any Form
    /// The state that was last sent to the caller.
    var told: FormState
    var waiting: [Promise<Void>] = []
    /// Bytes of each field that count as held for the user.
    var lengths = FormMethods.fields.map { _ in 0 }
    /// How costly each field is to check (`JSONView.weight`). Kept because every change checks all fields again.
    var weights = FormMethods.fields.map { _ in 0 }
  }

  let number: Int
  private let guarded: Mutex<Guarded>
  private let quota: PeerQuota?
  /// The caller that opened the form, and the origin that it named.
  let requester: Requester
  /// The languages that the caller named for the person at the form, also for mails that the form causes.
  let language: String?

  /// - Parameter quota: The resources of the server that the caller's user holds.
  init(
    _ number: Int, _ kind: Kind, _ rules: RegistrationRules, _ quota: PeerQuota?, _ requester: Requester,
    language: String?
  ) {
    self.number = number
    self.requester = requester
    self.language = language
    self.quota = quota
    let form: any Form =
      switch kind {
      case .registration: RegistrationForm(rules: rules)
      case .signIn: SignInForm(rules: rules)
      case .recovery: RecoveryForm(rules: rules)
      }
    guarded = Mutex(Guarded(form: form, told: form.shown))
  }

  deinit { quota?.hold(-guarded.withLock { $0.lengths.reduce(0, +) }) }

  /// Lends the form to `body`, under the lock.
  @discardableResult
  func with<Result: Sendable>(_ body: (inout any Form) -> sending Result) -> Result {
    guarded.withLock { body(&$0.form) }
  }

  var state: FormState { guarded.withLock { $0.form.shown } }

  /// Marks the state as sent to the caller.
  ///
  /// - Returns: Whether it differs from the state sent before.
  func markTold() -> Bool {
    guarded.withLock { guarded in
      let state = guarded.form.shown
      defer { guarded.told = state }
      return guarded.told != state
    }
  }

  /// Counts the typed text among the bytes held for the user, in place of the text that was typed before.
  ///
  /// - Returns: Whether there is room for it. If not, nothing is counted.
  func hold(_ typed: RegistrationEntry, _ code: String?, in session: Session) -> Bool {
    guard let quota else { return true }
    return guarded.withLock { guarded in
      let lengths = zip(typed.lengths(code), guarded.lengths).map { $0 ?? $1 }
      let (bytes, before) = (lengths.reduce(0, +), guarded.lengths.reduce(0, +))
      // a short text is always accepted, so that a person's form does not fail because programs of the same user hold
      // many bytes
      guard bytes <= max(Self.share, before) || quota.heldBytes + bytes - before <= session.heldBytesLimit else {
        return false
      }
      quota.hold(bytes - before)
      guarded.lengths = lengths
      return true
    }
  }

  /// The total weight (cost of checking) of the fields that this `form.set` leaves unchanged.
  func weight(besides parameters: Parameters) -> Int {
    guarded.withLock { guarded in
      zip(FormMethods.fields, guarded.weights).reduce(0) { parameters[$1.0] == nil ? $0 + $1.1 : $0 }
    }
  }

  func setWeights(_ parameters: Parameters) {
    guarded.withLock { guarded in
      for (index, field) in FormMethods.fields.enumerated() {
        if let weight = parameters[field]?.weight { guarded.weights[index] = weight }
      }
    }
  }

  /// Bytes that a form may always keep, however much regd holds for its user.
  private static let share = 1024

  /// Waits until the form's work has ended, or until the task is cancelled.
  func rest() async {
    let waiter = Promise<Void>()
    let isBusy = guarded.withLock { guarded in
      if guarded.form.isBusy { guarded.waiting.append(waiter) }
      return guarded.form.isBusy
    }
    guard isBusy else { return }
    await waiter.value {
      self.guarded.withLock { $0.waiting.removeAll { $0 == waiter } }
      waiter.fulfill(())
    }
  }

  /// Resumes all tasks that wait in `rest`, because the form's work has ended.
  func wakeWaiting() {
    let waiting = guarded.withLock { guarded in
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for waiter in waiting { waiter.fulfill(()) }
  }
}

extension RegistrationEntry {
  /// Bytes of each field that was typed, in the order of the fields.
  fileprivate func lengths(_ code: String?) -> [Int?] {
    [
      email?.utf8.count, password?.withBytes { $0.count }, passwordConfirmation?.withBytes { $0.count },
      code?.utf8.count, invitation?.utf8.count, terms?.utf8.count,
      displayName?.utf8.count,
    ]
  }
}
