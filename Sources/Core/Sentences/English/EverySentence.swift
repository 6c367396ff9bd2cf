/// All keys that a catalogue may have, of regd and of regctl, because one file serves both.
package enum EverySentence {
  /// The enumerations of sentences. A test checks that none is missing.
  package static let areas: [any SentenceKey.Type] = [
    GeneralSentence.self,
    EmailSentence.self, PasswordSentence.self, ValidationSentence.self, CredentialsSentence.self, SessionSentence.self,
    AccountSentence.self, InvitationSentence.self, TermsSentence.self,
    DisplayNameSentence.self, GroupSentence.self, RegistrationSentence.self,
    FormSentence.self, ClaimSentence.self, CodeSentence.self, ImportSentence.self,
    RPCSentence.self, JSONSentence.self, ParameterSentence.self,
    RequestSentence.self, ResponseSentence.self, BatchSentence.self, ServerSentence.self, RateSentence.self,
    AccessSentence.self, FeatureSentence.self, ConfigurationSentence.self,
    NetworkSentence.self, StoreSentence.self,
    MailSentence.self, HashSentence.self,
    PromptSentence.self,
    ResultSentence.self, ListSentence.self, StatusSentence.self,
    UsageSentence.self, LibrarySentence.self,
    ConnectionSentence.self, RefusalSentence.self, FailureSentence.self,
    FormScreenSentence.self, FormButton.self,
    TopSentence.self, TopHeading.self, TopKey.self,
    BenchSentence.self, MatrixSentence.self,
    BreachedListSentence.self, HashLineSentence.self, BackupSentence.self,
    MovingSentence.self, ProgressSentence.self,
    BreachedSentence.self, MessagesSentence.self, AuditSentence.self,
    DoctorStoreSentence.self, DoctorMachineSentence.self, DoctorUpstreamSentence.self,
    DoctorMailSentence.self, DoctorBackgroundSentence.self, DoctorAuditSentence.self,
    DoctorSentence.self, DoctorAdvice.self, DoctorSocketSentence.self, DoctorAccessSentence.self,
    DoctorDoorSentence.self,
    DoctorConfigurationSentence.self,
    RegisteringHelp.self, OwnerHelp.self, AdministeringHelp.self,
    CommonHelp.self, RegctlHelp.self, GroupHelp.self, LibraryHelp.self,
    MovingHelp.self, ForeignHelp.self, ForeignSentence.self, ExportSentence.self, RecordSentence.self,
    BreachedHelp.self, AuditHelp.self,
    WatchingHelp.self, CallHelp.self, ClientHelp.self, DoorHelp.self, MessagesHelp.self,
  ]

  /// Each key by its name, for example `password.tooShort`.
  package static let keys: [String: any SentenceKey] = {
    var keys: [String: any SentenceKey] = [:]
    for area in areas { add(area, to: &keys) }
    return keys
  }()

  /// The places (placeholders) that the texts of a key may have: those of the English text and, in a mail, the site's.
  /// Indexed by the key's name, without keys whose texts have no places.
  package static let places: [String: Set<String>] = keys.compactMapValues { key in
    let own = TemplateReader.isPlain(key.english) ? nil : (try? Template(key.english))?.places
    guard let common = (key as? MailSentence)?.commonPlaces, !common.isEmpty else { return own }
    return common.union(own ?? [])
  }

  /// Whether only regctl uses the key, and regd never does.
  package static func isOfClient(_ name: String) -> Bool { name.hasPrefix("regctl.") || name.hasPrefix("help.") }

  /// The compiled-in text of each key.
  package static var texts: [String: String] { keys.mapValues { key in key.english } }

  private static func add<Key: SentenceKey>(_ area: Key.Type, to keys: inout [String: any SentenceKey]) {
    for key in Key.allCases { keys[key.name] = key }
  }
}
