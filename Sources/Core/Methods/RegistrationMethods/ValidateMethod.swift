internal import JSONRPC
internal import Localization
internal import Registration

/// `registration.validate`: checks every rule at once, without network or store.
enum ValidateMethod {
  static func make(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "registration.validate", "Returns every rule that the input breaks, without asking the store or the upstream.",
      parameters: EntryParameters.all + [.language] + EntryParameters.admission, result: schema, repetition: .yes,
      .offloadable { parameters, session, result in
        if let email = parameters[EntryParameters.email]?.plainUTF8,
          let password = parameters[EntryParameters.password]?.plainUTF8,
          let confirmation = parameters[EntryParameters.confirmation]?.plainUTF8,
          parameters[EntryParameters.displayName] == nil,
          registrar.with({ registrar in
            registrar.rules.certainlyAccepts(email: email, password: password, confirmation: confirmation)
          })
        {
          writeFaultless(email, &result)
        } else if parameters.isCostly {
          return .offload
        } else {
          let validation = registrar.value.rules.check(EntryParameters.read(parameters, normalizer))
          write(validation, in: session.language(for: parameters.language), &result)
        }
        return .answered
      })
  }

  private static let schema = Schema.named(
    "Validation",
    .object(
      .init("emailValid", .boolean("")),
      .init("passwordValid", .boolean("Whether the password satisfies the rules and the confirmation is equal.")),
      .init("registrationEnabled", .boolean("Whether registration.register would accept these params.")),
      .init("normalizedEmail", .nullable(.string("The form by which regd compares addresses."))),
      .init("problems", ProblemList.schema)))

  private static func write(
    _ validation: Validation, in language: @autoclosure () -> Language, _ writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("emailValid", validation.emailValid)
      writer.member("passwordValid", validation.passwordValid)
      writer.member("registrationEnabled", validation.registrationEnabled)
      writer.name("normalizedEmail")
      if let email = validation.email { writer.value(email.key.value) } else { writer.null() }
      writer.name("problems")
      ProblemList.write(validation.problems, in: language(), to: &writer)
    }
  }

  /// Writes the result for an entry without problems. The entry's address is ASCII, so `normalizedEmail` is the address
  /// in lower case. None of its characters needs an escape in JSON.
  private static func writeFaultless(_ email: UnsafeRawBufferPointer, _ writer: inout JSONWriter) {
    writer.append(
      "{\"emailValid\":true,\"passwordValid\":true,\"registrationEnabled\":true,\"normalizedEmail\":\"" as StaticString)
    writer.appendLowercased(email)
    writer.append("\",\"problems\":[]}" as StaticString)
  }
}
