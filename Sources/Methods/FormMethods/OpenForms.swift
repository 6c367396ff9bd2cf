internal import JSONRPC
internal import Registration
internal import Synchronization

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

  /// - Returns: Whether there was one.
  func close(_ number: Int) -> Bool {
    // what is let go of ends behind the lock
    let closed = guarded.withLock { $0.forms.removeValue(forKey: number) }
    return closed != nil
  }
}

/// A form that is open: its state, and who waits for it to come to rest.
final class OpenForm: Sendable {
  /// Which screen it is.
  enum Kind: String, CaseIterable {
    case registration, signIn
  }

  private struct Guarded {
    var screen: FormScreen
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let number: Int
  private let guarded: Mutex<Guarded>

  init(_ number: Int, _ kind: Kind, _ rules: RegistrationRules) {
    self.number = number
    guarded = Mutex(
      Guarded(screen: kind == .registration ? .registration(.init(rules: rules)) : .signIn(.init(rules: rules))))
  }

  /// Does something to the form.
  ///
  /// - Returns: Whether the state is another now, and what `body` returned.
  func with<Result: Sendable>(
    _ body: (inout FormScreen) -> sending Result
  ) -> (isChanged: Bool, result: Result) {
    guarded.withLock { guarded in
      let before = guarded.screen.state
      let result = body(&guarded.screen)
      return (guarded.screen.state != before, result)
    }
  }

  var state: FormScreen.State { guarded.withLock { $0.screen.state } }

  /// Waits until the form is at rest.
  func rest() async {
    await withCheckedContinuation { continuation in
      let isAtRest = guarded.withLock { guarded in
        if guarded.screen.isBusy { guarded.waiting.append(continuation) }
        return !guarded.screen.isBusy
      }
      if isAtRest { continuation.resume() }
    }
  }

  /// The form has come to rest: those who wait for that go on.
  func wakeWaiting() {
    let waiting = guarded.withLock { guarded in
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// One of the two screens.
enum FormScreen: Sendable {
  case registration(RegistrationForm)
  case signIn(SignInForm)

  enum State: Equatable, Sendable {
    case registration(RegistrationForm.State)
    case signIn(SignInForm.State)
  }

  var state: State {
    switch self {
    case .registration(let form): .registration(form.state)
    case .signIn(let form): .signIn(form.state)
    }
  }

  var isBusy: Bool {
    switch self {
    case .registration(let form): form.isBusy
    case .signIn(let form): form.isBusy
    }
  }

  mutating func change(_ change: FormChange) { with { $0.change(change) } }

  mutating func submit() -> [FormAction] { with { $0.submit() } }

  mutating func end(_ outcome: FormOutcome) -> [FormAction] { with { $0.end(outcome) } }

  private mutating func with<Result>(_ body: (inout any Form) -> Result) -> Result {
    switch self {
    case .registration(let form):
      var form: any Form = form
      defer { if let form = form as? RegistrationForm { self = .registration(form) } }
      return body(&form)
    case .signIn(let form):
      var form: any Form = form
      defer { if let form = form as? SignInForm { self = .signIn(form) } }
      return body(&form)
    }
  }
}
