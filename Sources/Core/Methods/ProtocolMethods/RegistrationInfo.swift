internal import JSONRPC
package import Registration

extension ServerInfo {
  /// The rules for registering, which a page can show before a person types. They leave out the blocked domains.
  package struct Registration: Equatable, Sendable {
    package struct Password: Equatable, Sendable {
      package var minimumLength = 8
      package var maximumLength: Int
      package var refusesCommon = true
      package var refusesResemblingEmail = true
      package var refusesBreached = false

      package init() { maximumLength = 256 }
    }

    package struct Email: Equatable, Sendable {
      package var maximumLength: Int
      package var internationalized = true
      /// The only domains that are allowed. Empty if all domains are allowed.
      package var allowedDomains: [String] = []

      package init() { maximumLength = 254 }
    }

    package var mode: AdmissionTerms.Mode = .open
    package var requiresProof = false
    package var approval: AdmissionTerms.Approval = .none
    package var terms: TermsOfUse?
    package var password = Password()
    package var email = Email()

    package init() {}
  }
}

/// The member `registration` of `rpc.serverInfo`.
enum RegistrationInfo {
  static let schema = Schema.Member(
    "registration",
    .named(
      "RegistrationRules",
      .object(
        .init(
          "mode",
          .named("RegistrationMode", .choice(AdmissionTerms.Mode.allCases.map(\.rawValue), "Who may register."))),
        .init(
          "verification",
          .choice(
            ["none", "required"], "Whether regd verifies an address with a mailed code before it registers the address."
          )),
        .init(
          "approval",
          .choice(
            AdmissionTerms.Approval.allCases.map(\.rawValue),
            "Which new accounts wait for an administrator's approval: none, all (administrator), or those that used no invitation (uninvited). Accounts of some domains may be exempt."
          )),
        .init(
          "terms",
          .named(
            "TermsOfUse",
            .object(
              .init("version", .string("")),
              .init("url", .string("The address of the text; \"\" if none is configured.")))),
          required: false),
        .init(
          "password",
          .object(
            .init("minimumLength", .integer("In Unicode code points.")),
            .init("maximumLength", .integer("In Unicode code points.")),
            .init("refuseCommon", .boolean("")), .init("refuseResemblingEmail", .boolean("")),
            .init("refuseBreached", .boolean("")))),
        .init(
          "email",
          .object(
            .init("maximumLength", .integer("In bytes.")),
            .init("internationalized", .boolean("Whether an address may have characters beyond ASCII.")),
            .init(
              "allowedDomains",
              .array(.string(""), "The configuration's email.allowedDomains; absent if every domain is allowed."),
              required: false))
        ),
        about: "The current rules for registrations.")))

  static func write(_ info: ServerInfo.Registration, to writer: inout JSONWriter) {
    writer.object("registration") { writer in
      writer.member("mode", info.mode.rawValue)
      writer.member("verification", info.requiresProof ? "required" : "none" as StaticString)
      writer.member("approval", info.approval.rawValue)
      if let terms = info.terms {
        writer.object("terms") { writer in
          writer.member("version", terms.version)
          writer.member("url", terms.url)
        }
      }
      writer.object("password") { write(info.password, to: &$0) }
      writer.object("email") { write(info.email, to: &$0) }
    }
  }

  private static func write(_ password: ServerInfo.Registration.Password, to writer: inout JSONWriter) {
    writer.member("minimumLength", password.minimumLength)
    writer.member("maximumLength", password.maximumLength)
    writer.member("refuseCommon", password.refusesCommon)
    writer.member("refuseResemblingEmail", password.refusesResemblingEmail)
    writer.member("refuseBreached", password.refusesBreached)
  }

  private static func write(_ email: ServerInfo.Registration.Email, to writer: inout JSONWriter) {
    writer.member("maximumLength", email.maximumLength)
    writer.member("internationalized", email.internationalized)
    guard !email.allowedDomains.isEmpty else { return }
    writer.array("allowedDomains") { writer in for domain in email.allowedDomains { writer.value(domain) } }
  }
}
