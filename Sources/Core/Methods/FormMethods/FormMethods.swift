internal import JSONRPC
internal import Registration

/// `form.open`, `form.set`, `form.close`: what needs no waiting.
enum FormMethods {
  static let form = Parameter("form", .integer, required: true, "The number that form.open gave.")

  static func open(_ registrar: Registrar) -> Method {
    Method(
      "form.open", "Opens a form: a registration or sign-in screen whose state and decisions are regd's.",
      parameters: [Parameter("kind", .string, required: true, "registration or signIn."), OriginParameter.parameter],
      result: FormReplies.schema, errors: [.busy],
      .immediate { parameters, session, result in
        guard let kind = parameters[0]?.string.flatMap(OpenForm.Kind.init) else {
          let kinds = OpenForm.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
          return .error(.invalidParams("\"kind\" must be \(kinds).", field: "kind"))
        }
        let requester: Requester
        do throws(RPCError) { requester = try OriginParameter.requester(parameters[1], session.caller) } catch {
          return .error(error)
        }
        let forms = session.attachment { OpenForms() }
        guard let form = forms.open({ OpenForm($0, kind, registrar.rules, session.account, requester) }) else {
          return .error(FormReplies.tooMany)
        }
        FormReplies.write(form, to: &result)
        return nil
      })
  }

  /// Bytes of one field that are kept. A password or an address that is longer breaks a rule in any case.
  private static let longestField = 16_384

  static func set(_ normalizer: any TextNormalizer) -> Method {
    Method(
      "form.set",
      "Sets fields of a form; those that are absent stay. form.changed follows, if that has changed the state.",
      parameters: [
        form,
        Parameter("email", .string, required: false, "The e-mail address as it was typed."),
        Parameter("password", .string, required: false, "The password as it was typed."),
        Parameter("passwordConfirmation", .string, required: false, "The password a second time; for registering."),
      ],
      result: FormReplies.stateSchema, errors: [.formNotFound],
      .immediate { parameters, session, result in
        guard let form = find(parameters, session) else {
          return .error(FormReplies.notFound(parameters[0]))
        }
        for index in 1...3 {
          guard let field = parameters[index], field.source.count > longestField else { continue }
          let name = ["", "email", "password", "passwordConfirmation"][index]
          return .error(.invalidParams("\"\(name)\" may have at most \(longestField) bytes in a form.", field: name))
        }
        guard !parameters.isCostly(form.weight(besides: parameters)) else { return .costly }
        let change = FormChange(
          email: parameters[1]?.string, password: parameters[2]?.password(normalizer),
          passwordConfirmation: parameters[3]?.password(normalizer))
        guard form.hold(change, in: session) else { return .error(FormReplies.tooMuch) }
        form.noteWeights(parameters)
        form.with { $0.change(change) }
        FormReplies.tellIfChanged(form, session)
        FormReplies.writeState(of: form, to: &result)
        return nil
      })
  }

  static let close = Method(
    "form.close", "Closes a form, and forgets what was typed into it.", parameters: [form],
    errors: [.formNotFound],
    .immediate { parameters, session, result in
      guard let number = parameters[0]?.integer, session.existing(OpenForms.self)?.close(Int(number)) == true else {
        return .error(FormReplies.notFound(parameters[0]))
      }
      result.object { _ in }
      return nil
    })

  static func find(_ parameters: borrowing Parameters, _ session: Session) -> OpenForm? {
    guard let number = parameters[0]?.integer else { return nil }
    return session.existing(OpenForms.self)?.form(Int(number))
  }
}
