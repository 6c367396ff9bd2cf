/// All keys that a catalogue may have, of regd and of regctl, because one file serves both.
package enum EveryMessage {
  /// The enumerations of messages. A test checks that none is missing.
  package static let areas: [any MessageKey.Type] = [
    GeneralMessageKey.self,
    EmailMessageKey.self, PasswordMessageKey.self, ValidationMessageKey.self, CredentialsMessageKey.self,
    SessionMessageKey.self,
    AccountMessageKey.self, InvitationMessageKey.self, TermsMessageKey.self,
    DisplayNameMessageKey.self, GroupMessageKey.self, RegistrationMessageKey.self,
    FormMessageKey.self, ClaimMessageKey.self, CodeMessageKey.self, ImportMessageKey.self,
    RPCMessageKey.self, JSONMessageKey.self, ParameterMessageKey.self,
    RequestMessageKey.self, ResponseMessageKey.self, BatchMessageKey.self, ServerMessageKey.self, RateMessageKey.self,
    AccessMessageKey.self, FeatureMessageKey.self, ConfigurationMessageKey.self,
    NetworkMessageKey.self, StoreMessageKey.self,
    MailMessageKey.self, HashMessageKey.self,
    PromptMessageKey.self,
    ResultMessageKey.self, ListMessageKey.self, StatusMessageKey.self,
    UsageMessageKey.self, LibraryMessageKey.self,
    ConnectionMessageKey.self, RefusalMessageKey.self, FailureMessageKey.self,
    FormScreenMessageKey.self, FormButton.self,
    TopMessageKey.self, TopHeading.self, TopKey.self,
    BenchMessageKey.self, MatrixMessageKey.self,
    BreachedListMessageKey.self, HashLineMessageKey.self, BackupMessageKey.self,
    StoreTransferMessageKey.self, ProgressMessageKey.self,
    BreachedMessageKey.self, CatalogMessageKey.self,
    DoctorStoreMessageKey.self, DoctorMachineMessageKey.self, DoctorUpstreamMessageKey.self,
    DoctorMailMessageKey.self, DoctorBackgroundMessageKey.self,
    DoctorMessageKey.self, DoctorAdvice.self, DoctorSocketMessageKey.self, DoctorAccessMessageKey.self,
    DoctorDoorMessageKey.self,
    DoctorConfigurationMessageKey.self,
    RegisteringHelp.self, OwnerHelp.self, AdministeringHelp.self,
    CommonHelp.self, RegctlHelp.self, GroupHelp.self, LibraryHelp.self,
    StoreTransferHelp.self, ForeignHelp.self, ForeignMessageKey.self, ExportMessageKey.self, RecordMessageKey.self,
    BreachedHelp.self,
    WatchingHelp.self, CallHelp.self, ClientHelp.self, DoorHelp.self, MessagesHelp.self,
  ]

  /// Each key by its name, for example `password.tooShort`.
  package static let keys: [String: any MessageKey] = {
    var keys: [String: any MessageKey] = [:]
    for area in areas { add(area, to: &keys) }
    return keys
  }()

  /// The places (placeholders) that the texts of a key may have: those of the English text and, in a mail, the site's.
  /// Indexed by the key's name, without keys whose texts have no places.
  package static let places: [String: Set<String>] = keys.compactMapValues { key in
    let own = TemplateReader.isPlain(key.english) ? nil : (try? Template(key.english))?.places
    guard let common = (key as? MailMessageKey)?.commonPlaces, !common.isEmpty else { return own }
    return common.union(own ?? [])
  }

  /// Whether only regctl uses the key, and regd never does.
  package static func isOfClient(_ name: String) -> Bool { name.hasPrefix("regctl.") || name.hasPrefix("help.") }

  /// The compiled-in text of each key.
  package static var texts: [String: String] { keys.mapValues { key in key.english } }

  private static func add<Key: MessageKey>(_ area: Key.Type, to keys: inout [String: any MessageKey]) {
    for key in Key.allCases { keys[key.name] = key }
  }
}
