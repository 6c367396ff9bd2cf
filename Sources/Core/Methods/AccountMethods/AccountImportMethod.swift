internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `account.import`: imports accounts from another system, with that system's password hashes.
enum AccountImportMethod {
  private static let records = Parameter(
    "records", .array, required: true,
    "Objects {email, passwordHash, state?, createdAt?, id?, terms?, groups?, displayName?}.",
    .elements("AccountRecord"))

  static func make(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Method(
      "account.import",
      "Imports accounts with their password hashes, and reports the records that it refuses.",
      access: .admin,
      parameters: [records],
      result: .object(
        .init("imported", .integer("How many of the accounts exist now, including those that existed before.")),
        .init(
          "refused",
          .array(
            .named(
              "RefusedRecord",
              .object(
                .init("index", .integer("The position of the record, from 0.")), .init("reason", .string("")),
                .init("message", .string("")))),
            ""))),
      errors: ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        guard let list = parameters[records] else { throw .internal }
        var count = 0
        list.forEachElement { _ in count += 1 }
        guard count <= Self.mostRecords else {
          throw .invalidParams(
            LocalizedMessage(ParameterMessageKey.records, ["limit": .number(Self.mostRecords)]),
            field: "records")
        }
        // copies the text and parses it later, off the event loop, because there may be a thousand records
        let source = Array(list.source)
        let requester = session.caller.requester
        return { cancellation async in
          guard let records = ImportRecordReading.read(source, maximumDepth: info.value.limits.depth) else {
            return .error(.internal)
          }
          guard cancellation.beginCommit() else { return .error(.cancelled) }
          return await OutcomeReplies.storing(
            reply(try await administrator.importing(records, by: requester), in: session.language()))
        }
      })
  }

  /// The most records of one call. The number is limited because a call is one transaction, and because its reply lists
  /// all refusals, whatever the reply's size.
  private static let mostRecords = 1000

  private static func reply(_ answers: [ImportRefusal?], in language: Language) -> Reply {
    .done { writer in
      writer.member("imported", answers.count { $0 == nil })
      writer.array("refused") { writer in
        for (index, refusal) in answers.enumerated() {
          guard let refusal else { continue }
          writer.object { writer in
            writer.member("index", index)
            writer.member("reason", refusal.reason.name)
            writer.member("message", language.text(of: refusal.sentence))
          }
        }
      }
    }
  }
}

/// Reads records from JSON. A malformed record is refused alone, and the other records are read.
enum ImportRecordReading {
  static let schema = Schema.named(
    "AccountRecord",
    .object(
      .init("email", .email()),
      .init(
        "passwordHash",
        .string(
          "A hash of regd or of another system (the article Administering lists the families); \"*\" for no password.")),
      .init("state", AccountReply.state, required: false), .init("createdAt", .time(), required: false),
      .init("id", .uuid(), required: false), AccountReply.accepted,
      .init("groups", AccountReply.groups, required: false), AccountReply.displayName,
      about: "An account as account.export returns it and account.import accepts it."))

  static func read(_ source: [UInt8], maximumDepth: Int) -> [Result<ImportRecord, ImportRefusal>]? {
    var tape = JSONTape()
    return source.withUnsafeBytes { bytes in
      try? JSONDocument.read(bytes, maximumDepth: maximumDepth, tape: &tape) { array in
        var records: [Result<ImportRecord, ImportRefusal>] = []
        array.forEachElement { records.append(record($0)) }
        return records
      }
    }
  }

  private static func record(_ view: JSONView) -> Result<ImportRecord, ImportRefusal> {
    guard view.kind == .object else { return refuse(LocalizedMessage(ImportMessageKey.record)) }
    var record = ImportRecord(email: nil, passwordHash: nil, state: nil, createdAt: nil, id: nil)
    var wrong: LocalizedMessage?
    view.forEachMember { name, value in
      guard wrong == nil else { return }
      if name.isString("terms") {
        record.terms = value.isNull ? nil : terms(value)
        if let name = unknownMember(ofTerms: value) {
          wrong = LocalizedMessage(ImportMessageKey.member, ["name": .text("terms.\(name)")])
        }
        return
      }
      if name.isString("groups") {
        record.groups = value.isNull ? nil : groups(value)
        return
      }
      let text = value.string
      if name.isString("email") {
        record.email = text
      } else if name.isString("passwordHash") {
        record.passwordHash = text
      } else if name.isString("state") {
        record.state = text
      } else if name.isString("createdAt") {
        record.createdAt = text
      } else if name.isString("id") {
        record.id = text
      } else if name.isString("displayName") {
        record.displayName = EntryParameters.displayName(value)
      } else {
        wrong = LocalizedMessage(ImportMessageKey.member, ["name": .text(name.excerpt)])
      }
      if wrong == nil, value.kind != .string, !value.isNull {
        wrong = LocalizedMessage(ImportMessageKey.string, ["name": .text(name.excerpt)])
      }
    }
    return wrong.map { refuse($0) } ?? .success(record)
  }

  /// - Returns: The members, with nil for a member that is missing or not a string, which makes the terms invalid.
  private static func terms(_ view: JSONView) -> (version: String?, acceptedAt: String?) {
    guard view.kind == .object else { return (nil, nil) }
    return (view.member("version")?.string, view.member("acceptedAt")?.string)
  }

  /// - Returns: The names, each once. For a value that is not an array of strings with at most 64 names, returns one string that
  ///   is not a group name.
  private static func groups(_ view: JSONView) -> [String] {
    guard view.kind == .array else { return [""] }
    var names: Set<String> = []
    view.forEachElement { element in
      if names.count <= Groups.most { names.insert(element.string ?? "") }
    }
    return names.count <= Groups.most ? Array(names) : [""]
  }

  private static func unknownMember(ofTerms view: JSONView) -> String? {
    var unknown: String?
    view.forEachMember { name, _ in
      if !name.isString("version"), !name.isString("acceptedAt") { unknown = unknown ?? name.excerpt }
    }
    return unknown
  }

  private static func refuse(_ sentence: LocalizedMessage) -> Result<ImportRecord, ImportRefusal> {
    .failure(ImportRefusal(.record, sentence))
  }
}

extension ImportRefusal.Reason {
  /// Stable names on the wire, which never change.
  fileprivate var name: String {
    switch self {
    case .record: "record.invalid"
    case .email(let reason): reason.rawValue
    case .hash(let reason): reason.rawValue
    case .state: "state.invalid"
    case .createdAt: "createdAt.invalid"
    case .id: "id.invalid"
    case .terms: "terms.invalid"
    case .groups: "groups.invalid"
    case .displayName(let reason): reason.rawValue
    case .emailTaken: ErrorReason.emailTaken.name
    case .idTaken: "id.taken"
    }
  }
}
