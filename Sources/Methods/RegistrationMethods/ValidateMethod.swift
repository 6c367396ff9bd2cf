internal import JSONRPC
internal import Registration

/// `registration.validate`: every rule at once, without network or store.
enum ValidateMethod {
  static func make(_ registrar: Registrar, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "registration.validate", "Says which rules an entry breaks; asks neither network nor store.",
      parameters: EntryParameters.parameters,
      .immediate { parameters, _ in
        reply(registrar.rules.check(EntryParameters.read(parameters, normalizer)))
      })
  }

  private static func reply(_ validation: Validation) -> Reply {
    .object { writer in
      writer.member("emailValid", validation.emailValid)
      writer.member("passwordValid", validation.passwordValid)
      writer.member("registrationEnabled", validation.registrationEnabled)
      writer.name("normalizedEmail")
      if let email = validation.email { writer.value(email.key.value) } else { writer.null() }
      writer.name("problems")
      ProblemList.write(validation.problems, to: &writer)
    }
  }
}
