internal import AccountImport
internal import AddressNormalization
internal import ArgumentParser
internal import Linux
internal import Localization
internal import PasswordHashing
internal import RegctlCommandLine
internal import Registration

extension ForeignSystem: ExpressibleByArgument {}

/// The possible states of an imported account whose address was never proven.
enum UnprovenState: String, CaseIterable, ExpressibleByArgument {
  case active, disabled

  var state: Account.State {
    switch self {
    case .active: .active
    case .disabled: .disabled
    }
  }
}

/// The options of `regctl import` that describe another system.
struct ForeignOptions: ParsableArguments {
  @Option(help: .said(ForeignHelp.from, valueName: "system")) var from: ForeignSystem?
  @Flag(help: .said(ForeignHelp.dryRun)) var dryRun = false
  @Option(help: .said(ForeignHelp.report, valueName: "file"))
  var report: String?
  @Option(help: .said(ForeignHelp.unproven, valueName: "state"))
  var unproven: UnprovenState?
  @Flag(help: .said(ForeignHelp.noPassword)) var noPassword = false
  @Option(help: .said(ForeignHelp.domain)) var domain: String?
  @Option(help: .said(ForeignHelp.namespace, valueName: "uuid")) var namespace: String?
  @Option(help: .said(ForeignHelp.firebaseRounds, valueName: "number")) var firebaseRounds: Int?
  @Option(help: .said(ForeignHelp.firebaseMemCost, valueName: "number")) var firebaseMemCost: Int?
  @Option(help: .said(ForeignHelp.firebaseSaltSeparator, valueName: "base64")) var firebaseSaltSeparator: String?

  private var hasFirebase: Bool { firebaseRounds != nil || firebaseMemCost != nil || firebaseSaltSeparator != nil }

  func validate() throws {
    guard let from else {
      let isPlain =
        !dryRun && report == nil && unproven == nil && !noPassword && domain == nil && namespace == nil
        && !hasFirebase
      guard isPlain else { throw ValidationError(ForeignMessageKey.needsFrom) }
      return
    }
    guard domain == nil || from == .passwd else { throw ValidationError(ForeignMessageKey.domainIsForPasswd) }
    guard from == .firebase || !hasFirebase else { throw ValidationError(ForeignMessageKey.parametersAreForFirebase) }
    guard from != .firebase || firebase != nil else { throw ValidationError(ForeignMessageKey.firebaseNeedsParameters) }
    guard namespace == nil || ids != nil else { throw ValidationError(ForeignMessageKey.namespaceIsNoUUID) }
  }

  private var ids: NamedIDs? { AccountID(namespace ?? NamedIDs.usualNamespace).map { NamedIDs(namespace: $0) } }

  private var firebase: FirebaseParameters? {
    guard let firebaseRounds, let firebaseMemCost, let firebaseSaltSeparator else { return nil }
    return FirebaseParameters(
      rounds: firebaseRounds, memoryCost: firebaseMemCost, saltSeparator: firebaseSaltSeparator)
  }

  /// The import that the options describe, or nil for a file in regd's own format.
  func importing(_ files: [String], _ connection: ConnectionOptions) throws -> ForeignImporting? {
    guard let from, let ids else { return nil }
    var options = SourceOptions(now: Timestamp(microseconds: WallClock.microseconds), ids: ids)
    options.domain = domain.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    options.firebase = firebase
    options.unproven = unproven?.state
    options.withoutPasswords = noPassword
    // a dry run cannot ask regd, and an account must not be imported without a password just because a key is missing:
    // both assume that regd will have the key of Firebase's hashes
    let hashes = dryRun || noPassword ? PasswordHashFormat(keys: .assumed) : nil
    return ForeignImporting(
      reading: ForeignImport(from, options, normalizer: UnicodeNormalizer(), hashes: hashes), files: files,
      connection: connection, isDry: dryRun, report: report)
  }
}
