internal import JSONRPC
internal import Reasons
internal import Registration
internal import Synchronization

/// `form.submit`: presses the button of a form, and answers once the form has no work in flight.
enum FormSubmitMethod {
  static func make(_ registrar: Reloadable<Registrar>, _ refused: @escaping RefusalObserver) -> Method {
    Method(
      "form.submit",
      "Submits a form; regd sends form.event for each step, and replies after the last one.",
      parameters: [FormMethods.form], result: FormSchemas.stateResult, errors: [.formNotFound],
      .suspending { parameters, session throws(RPCError) in
        let form = try FormMethods.find(parameters, session)
        // submits now, not when the request's turn comes, so that text typed later is not submitted
        let submission = Submission(form, registrar.with(\.rules), session)
        return { cancellation in
          // the form's origin came with `form.open`
          let outcome = await Share.$current.withValue(form.requester.share) {
            await submission.run(registrar.value, cancellation)
          }
          if let reason = outcome?.refusal ?? submission.refusal {
            refused(RefusedAttempt(method: "form.submit", reason: reason, requester: form.requester))
          }
          return .result { FormReplies.writeState(of: form, session, to: &$0) }
        }
      })
  }
}

/// One press of a form's button. If the request is cancelled before the work begins, `deinit` ends the form's activity.
private final class Submission: Sendable {
  private let form: OpenForm
  private let session: Session
  /// The work to do, or nil if the form refused its fields, or is already busy.
  private let task: FormAction?
  private let hasEnded = Flag()
  /// The reason with which the form refused its fields, or nil if it did not.
  let refusal: String?

  /// - Parameter rules: The current rules, because a reload may have closed registration since the form's last change.
  init(_ form: OpenForm, _ rules: RegistrationRules, _ session: Session) {
    self.form = form
    self.session = session
    let actions = form.with { form in
      form.rules = rules
      return form.submit()
    }
    let task = actions.first(where: \.isWork)
    self.task = task
    refusal = if case .alert(let alert)? = actions.first { alert.reason.name } else { nil }
    FormReplies.tell(actions, of: form, session)
  }

  deinit {
    guard task != nil, hasEnded.raise() else { return }
    end(.refused(FormOutcomes.alert(.cancelled)))
    FormReplies.tellIfChanged(form, session)
  }

  /// - Returns: The outcome of the work, or nil if there was no work.
  func run(_ registrar: Registrar, _ cancellation: Cancellation) async -> FormOutcome? {
    // registered only at the end, because `afterReply` acts after the session's next reply. If it were registered
    // earlier, the next reply could answer another request
    defer {
      let (form, session) = (form, session)
      session.afterReply { FormReplies.tellIfChanged(form, session) }
    }
    guard let task else {
      await form.rest()
      return nil
    }
    guard let outcome = await outcome(of: task, registrar, cancellation) else { return nil }
    if hasEnded.raise() { end(outcome) }
    return outcome
  }

  /// - Returns: The outcome, or nil for an action that is not work of the registrar.
  private func outcome(
    of task: FormAction, _ registrar: Registrar, _ cancellation: Cancellation
  ) async -> FormOutcome? {
    let (requester, mayCommit) = (form.requester, cancellation.beginCommit)
    let language = session.ranges(for: form.language)
    switch task {
    case .register(let entry):
      let begun = ContinuousClock.now
      let outcome = await registrar.register(entry, language: language, by: requester, mayCommit: mayCommit)
      await MinimumResponseTime.pass(since: begun, with: outcome)
      return FormOutcomes.outcome(of: outcome, registrar.stamps)
    case .signIn(let email, let password):
      return FormOutcomes.outcome(
        of: await registrar.signIn(email: email, password: password, by: requester), registrar.stamps)
    case .prove(let claim, let code):
      return FormOutcomes.outcome(
        of: await registrar.prove(
          claim, code: code, language: session.known(form.language), by: requester, mayCommit: mayCommit),
        registrar.stamps)
    case .startRecovery(let email):
      let begun = ContinuousClock.now
      let outcome = await registrar.startRecovery(email, language: language, by: requester, mayCommit: mayCommit)
      await MinimumResponseTime.pass(since: begun)
      return FormOutcomes.outcome(of: outcome)
    case .finishRecovery(let claim, let code, let entry):
      let begun = ContinuousClock.now
      let outcome = await registrar.finishRecovery(
        claim, code: code, password: entry.password, confirmation: entry.passwordConfirmation,
        language: session.known(form.language), by: requester, mayCommit: mayCommit)
      await MinimumResponseTime.pass(since: begun, with: outcome)
      return FormOutcomes.outcome(of: outcome, registrar.stamps)
    case .activityStarted, .activityEnded, .alert, .navigate:
      return nil
    }
  }

  private func end(_ outcome: FormOutcome) {
    FormReplies.tell(form.with { $0.end(outcome) }, of: form, session)
    form.wakeWaiting()
  }
}

/// Records that something has happened, so that only the first of several tasks acts on it.
final class Flag: Sendable {
  private let isUp = Atomic<Bool>(false)

  /// - Returns: Whether this was the first time.
  func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }
}
