internal import JSONRPC
internal import Registration
internal import Synchronization
internal import Waiting

/// The forms of one connection. They end with it, and so do the passwords in them.
final class OpenForms: Sendable {
  /// How many a connection may have.
  static let capacity = 64

  private struct Guarded {
    var forms: [Int: OpenForm] = [:]
    var last = 0
  }

  private let guarded = Mutex(Guarded())

  /// - Returns: The form with its number; nil where there is no room for another.
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

  /// Has the forms that show a claim show it as it is now, and tells the caller behind the reply.
  func follow(_ claim: AddressClaim, _ session: Session) {
    for form in guarded.withLock({ Array($0.forms.values) }) {
      form.with { $0.follow(FormClaim(claim)) }
      session.afterReply { FormReplies.tellIfChanged(form, session) }
    }
  }

  /// - Returns: Whether there was one.
  func close(_ number: Int) -> Bool {
    // what is let go of ends behind the lock
    let closed = guarded.withLock { $0.forms.removeValue(forKey: number) }
    return closed != nil
  }
}

/// A form that is open: its state, and the submits that wait for it to come to rest.
final class OpenForm: Sendable {
  /// Which screen it is.
  enum Kind: String, CaseIterable {
    case registration, signIn, recovery
  }

  private struct Guarded {
    var form: any Form
    /// The state that the caller knows.
    var told: FormState
    var waiting: Set<Promise<Void>> = []
    /// Bytes of each field that are counted among the user's.
    var lengths = FormMethods.fields.map { _ in 0 }
    /// The weight of each field (`JSONView.weight`): every change checks all of them.
    var weights = FormMethods.fields.map { _ in 0 }
  }

  let number: Int
  private let guarded: Mutex<Guarded>
  private let usage: PeerUsage?
  /// The caller that has opened it, and the origin that it named.
  let requester: Requester
  /// What its person is spoken to in, as it was asked for; also of the mails that it causes.
  let language: String?

  /// - Parameter usage: What the caller's user takes of the server.
  init(
    _ number: Int, _ kind: Kind, _ rules: RegistrationRules, _ usage: PeerUsage?, _ requester: Requester,
    language: String?
  ) {
    self.number = number
    self.requester = requester
    self.language = language
    self.usage = usage
    let form: any Form =
      switch kind {
      case .registration: RegistrationForm(rules: rules)
      case .signIn: SignInForm(rules: rules)
      case .recovery: RecoveryForm(rules: rules)
      }
    guarded = Mutex(Guarded(form: form, told: form.shown))
  }

  deinit { usage?.hold(-guarded.withLock { $0.lengths.reduce(0, +) }) }

  /// Does something to the form.
  @discardableResult
  func with<Result: Sendable>(_ body: (inout any Form) -> sending Result) -> Result {
    guarded.withLock { body(&$0.form) }
  }

  var state: FormState { guarded.withLock { $0.form.shown } }

  /// Marks the state as told to the caller.
  ///
  /// - Returns: Whether it differs from the state that was told before.
  func markTold() -> Bool {
    guarded.withLock { guarded in
      let state = guarded.form.shown
      defer { guarded.told = state }
      return guarded.told != state
    }
  }

  /// Counts what is typed among the bytes that the user holds, in place of what it replaces.
  ///
  /// - Returns: Whether there is room for it; if not, nothing is counted.
  func hold(_ typed: RegistrationEntry, _ code: String?, in session: Session) -> Bool {
    guard let usage else { return true }
    return guarded.withLock { guarded in
      let lengths = zip(typed.lengths + [code?.utf8.count], guarded.lengths).map { $0 ?? $1 }
      let (bytes, before) = (lengths.reduce(0, +), guarded.lengths.reduce(0, +))
      // a little is always possible: a person's form must not fail for what programs hold
      guard bytes <= max(Self.share, before) || usage.heldBytes + bytes - before <= session.heldBytesLimit else {
        return false
      }
      usage.hold(bytes - before)
      guarded.lengths = lengths
      return true
    }
  }

  /// The weight of the fields that `form.set` leaves as they are.
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

  /// Bytes of a form that are kept whatever the user holds.
  private static let share = 1024

  /// Waits until the form is at rest, or the task is cancelled.
  func rest() async {
    let waiter = Promise<Void>()
    let isBusy = guarded.withLock { guarded in
      if guarded.form.isBusy { guarded.waiting.insert(waiter) }
      return guarded.form.isBusy
    }
    guard isBusy else { return }
    await waiter.value {
      self.guarded.withLock { _ = $0.waiting.remove(waiter) }
      waiter.fulfill(())
    }
  }

  /// Resumes all that wait in `rest`, because the form has come to rest.
  func wakeWaiting() {
    let waiting = guarded.withLock { guarded in
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for waiter in waiting { waiter.fulfill(()) }
  }
}

extension RegistrationEntry {
  /// Bytes of each field that was typed into, in the order of the fields; the code's are not in it.
  fileprivate var lengths: [Int?] {
    [email?.utf8.count, password?.withBytes { $0.count }, passwordConfirmation?.withBytes { $0.count }]
  }
}
