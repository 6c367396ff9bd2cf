/// The whole configuration, read and checked. Each section has a file that lists its keys, types and defaults.
package struct Settings: Equatable, Sendable {
  package var socket: SocketSettings
  package var doors: DoorSettings
  package var access: AccessSettings
  package var limits: LimitSettings
  package var email: EmailSettings
  package var password: PasswordSettings
  package var hashing: HashingSettings
  package var signIn: SignInSettings
  package var registration: RegistrationSettings
  package var audit: AuditSettings
  package var mail: MailSettings
  package var site: SiteSettings
  package var network: NetworkSettings
  package var store: StoreSettings
  package var messages: MessageSettings
  package var log: LogSettings
  package var shutdown: ShutdownSettings
  package var environment: EnvironmentSettings?
  /// Those of all sections.
  package var unknownMembers: [UnknownMember]

  /// - Parameters:
  ///   - file: The file's path and text, or nil for the defaults.
  ///   - arguments: `--key value` or `--key=value` for any key.
  ///   - environment: All variables of the process.
  /// - Throws: All problems of the configuration at once.
  package init(
    file: (path: String, text: String)?, arguments: [String] = [], environment: [String: String] = [:]
  ) async throws(ConfigurationError) {
    var reader = SettingsReader(
      try await ConfigurationLayers(file: file, arguments: arguments, environment: environment))
    self.init(&reader)
    try reader.finish()
  }

  /// Reads all sections, in the file's order.
  init(_ reader: inout SettingsReader) {
    socket = SocketSettings(&reader)
    doors = DoorSettings(&reader)
    access = AccessSettings(&reader)
    limits = LimitSettings(&reader)
    email = EmailSettings(&reader)
    password = PasswordSettings(&reader)
    hashing = HashingSettings(&reader)
    signIn = SignInSettings(&reader)
    registration = RegistrationSettings(&reader)
    mail = MailSettings(&reader)
    site = SiteSettings(&reader)
    network = NetworkSettings(&reader)
    signIn.check(hasNetwork: network.chosen != nil, &reader)
    registration.check(hasMail: mail.chosen != nil, &reader)
    store = StoreSettings(&reader)
    audit = AuditSettings(&reader)
    messages = MessageSettings(&reader)
    log = LogSettings(&reader)
    shutdown = ShutdownSettings(&reader)
    environment = EnvironmentSettings(&reader)
    unknownMembers = reader.unknownMembers
    Contradictions(settings: self).check(&reader)
  }
}
