internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration

/// `form.open`, `form.set`, `form.close`: the methods of forms that answer at once.
enum FormMethods {
  static let form = Parameter(
    "form", .integer, required: true, "The number from the reply to form.open.", .between(1, nil))
  private static let kind = Parameter(
    "kind", .string, required: true, "registration, signIn or recovery.",
    .oneOf("registration signIn recovery"))
  /// The fields of a form, in the order of `EntryParameters.all`, followed by the code and `EntryParameters.admission`.
  static let fields =
    [
      Parameter("email", .string, required: false, "The email address as the end user typed it."),
      Parameter("password", .string, required: false, "The password as the end user typed it."),
      Parameter(
        "passwordConfirmation", .string, required: false, "The new password, typed a second time."),
      code,
    ] + EntryParameters.admission
  private static let code = Parameter(
    "code", .string, required: false, "The code from the mail; ignored if there is no claim.")

  static func open(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "form.open",
      "Opens a form for registration, sign-in or recovery; regd keeps its state and decides what it allows.",
      parameters: [kind, OriginParameter.parameter, .language],
      result: FormSchemas.opened, errors: [.busy, .featureOff],
      .immediate { parameters, session, result throws(RPCError) in
        guard let kind = parameters[kind]?.string.flatMap(OpenForm.Kind.init) else {
          throw .invalidParams(LocalizedMessage(ParameterMessageKey.formKind), field: "kind")
        }
        let requester = try OriginParameter.requester(parameters, session.caller)
        let language = parameters.language
        let registrar = registrar.value
        if kind == .recovery, let obstacle = registrar.obstacleToRecovery { throw OutcomeReplies.error(obstacle) }
        let forms = session.attachment { OpenForms() }
        guard
          let form = forms.open({ OpenForm($0, kind, registrar.rules, session.quota, requester, language: language) })
        else {
          throw FormReplies.tooMany
        }
        FormReplies.write(form, session, to: &result)
      })
  }

  /// The most bytes of JSON that one field of a form may have. A longer text breaks a rule under every configuration: a
  /// password has at most 4096 code points, of at most 12 bytes each (two `\u` escapes).
  private static let longestField = 65_536

  static func set(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "form.set",
      "Sets the given fields of a form; regd sends form.changed if the state changes.",
      parameters: [form] + fields, result: FormSchemas.stateResult, errors: [.formNotFound],
      .offloadable { parameters, session, result throws(RPCError) in
        let form = try find(parameters, session)
        for field in fields where (parameters[field]?.source.count ?? 0) > longestField {
          throw .invalidParams(
            LocalizedMessage(ParameterMessageKey.formField, ["name": "\(field.name)", "limit": .number(longestField)]),
            field: "\(field.name)")
        }
        guard !parameters.isCostly(besides: form.weight(besides: parameters)) else { return .offload }
        let typed = EntryParameters.read(parameters, normalizer)
        let code = parameters[code]?.string
        guard form.hold(typed, code, in: session) else { throw FormReplies.tooMuch }
        form.setWeights(parameters)
        // sets the current rules, so that they apply to text typed before a reload too
        let rules = registrar.value.rules
        form.with { form in
          form.rules = rules
          form.change(typed, code: code)
        }
        FormReplies.tellIfChanged(form, session)
        FormReplies.writeState(of: form, session, to: &result)
        return .answered
      })
  }

  static let close = Method(
    "form.close", "Closes a form and erases its fields.", parameters: [form],
    errors: [.formNotFound],
    .immediate { parameters, session, result throws(RPCError) in
      guard session.existing(OpenForms.self)?.close(number(parameters)) == true else {
        throw FormReplies.notFound(number(parameters))
      }
      result.object { _ in }
    })

  private static func number(_ parameters: borrowing Parameters) -> Int { Int(parameters[form]?.integer ?? 0) }

  /// Returns the connection's form that the call names. Throws `form.notFound` if it has no such form.
  static func find(_ parameters: borrowing Parameters, _ session: Session) throws(RPCError) -> OpenForm {
    guard let form = session.existing(OpenForms.self)?.form(number(parameters)) else {
      throw FormReplies.notFound(number(parameters))
    }
    return form
  }
}
