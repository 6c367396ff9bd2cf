internal import JSONRPC
internal import Registration

/// `registration.register`: one account per address, durable before it is acknowledged.
enum RegisterMethod {
  static func make(_ registrar: Registrar, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "registration.register", "Registers an account.", parameters: EntryParameters.parameters,
      result: AccountReply.schema,
      errors: [.validationFailed, .emailTaken, .busy] + ErrorReason.ofNetwork + ErrorReason.ofStore,
      .suspending { parameters, _ in
        let entry = EntryParameters.read(parameters, normalizer)
        return { cancellation in
          OutcomeReplies.reply(to: await registrar.register(entry, mayCommit: cancellation.beginCommit))
        }
      })
  }
}
