package import Registration

/// The systems that accounts come from. The raw values are those of `regctl import --from`.
package enum ForeignSystem: String, CaseIterable, Sendable {
  case keycloak, kratos, supabase, firebase, pocketbase, django, wordpress, devise, laravel, auth0, aspnet, ldif,
    passwd, csv

  func source(_ options: SourceOptions) -> any AccountSource {
    switch self {
    case .keycloak: KeycloakSource()
    case .kratos: KratosSource()
    case .supabase: SupabaseSource(now: options.now)
    case .firebase: FirebaseSource(parameters: options.firebase ?? FirebaseParameters())
    case .pocketbase: PocketBaseSource()
    case .django: DjangoSource()
    case .wordpress: WordPressSource()
    case .devise: DeviseSource()
    case .laravel: LaravelSource()
    case .auth0: Auth0Source()
    case .aspnet: AspNetSource(now: options.now)
    case .ldif: LDIFSource(now: options.now)
    case .passwd: PasswdSource(domain: options.domain, now: options.now)
    case .csv: CSVSource()
    }
  }
}

/// Facts that are needed to read an export, and are not in its file.
package struct SourceOptions: Sendable {
  /// The time of the import: decides whether a suspension or an account's expiry date has passed.
  package var now: Timestamp
  /// The domain that makes a bare name an address, or nil if bare names are refused.
  package var domain: String?
  package var firebase: FirebaseParameters?
  /// The state of accounts whose address was never proven. If it is nil, accounts that could sign in become active, and
  /// the others are refused.
  package var unproven: Account.State?
  package var ids: NamedIDs
  /// Whether an account without a usable hash is imported without a password.
  package var withoutPasswords = false

  package init(now: Timestamp, ids: NamedIDs) { (self.now, self.ids) = (now, ids) }
}

/// The public part of a Firebase project's `hash_config`.
package struct FirebaseParameters: Sendable, Equatable {
  /// scrypt's r, 1 to 8.
  package var rounds: Int
  /// The binary logarithm of scrypt's N, 1 to 14.
  package var memoryCost: Int
  /// The salt separator in base64, as Firebase's console shows it.
  package var saltSeparator: String

  package init(rounds: Int = 8, memoryCost: Int = 14, saltSeparator: String = "Bw==") {
    (self.rounds, self.memoryCost, self.saltSeparator) = (rounds, memoryCost, saltSeparator)
  }
}
