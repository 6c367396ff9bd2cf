internal import RegdClient
internal import Registration

/// Users and groups as Django's `manage.py dumpdata auth.group auth.user` writes them, in one array or one object per line. A
/// project's own user model is read if it has the fields of Django's. Other models are skipped.
struct DjangoSource: AccountSource {
  let columns = WantedColumns(needed: [], optional: [])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .json(array: nil) }

  func name(_ record: JSONValue) -> String? {
    record["fields"]?.text("email") ?? record["fields"]?.text("username")
  }

  func email(_ record: JSONValue) throws(RecordRefusal) -> String? {
    guard let fields = record["fields"], record.text("model") != nil else { throw .malformed(.member("fields")) }
    return fields["password"] == nil ? nil : try fields.address("email")
  }

  func group(_ record: JSONValue) -> SourceGroup? {
    guard record.text("model")?.lowercased() == "auth.group", let name = record["fields"]?.text("name"),
      let id = record.text("pk")
    else { return nil }
    return SourceGroup(name: name, keys: [id])
  }

  func account(_ record: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let fields = record["fields"] ?? .null
    var account = SourceAccount { () throws(RecordRefusal) in
      let hash = try fields.hash("password")
      // an exclamation mark is Django's sign for an unusable password
      guard !hash.hasPrefix("!") else { throw .noPassword }
      return hash
    }
    if try !fields.isOn("is_active") { account.state = .disabled }
    account.createdAt = try Times.created(fields.text("date_joined"))
    account.id = record.text("pk")
    for group in try fields.elements("groups") {
      switch group {
      case .number(let id), .string(let id): account.groupKeys.append(id)
      case .array(let names) where names.count == 1 && names[0].string != nil:
        // a natural key, with --natural-foreign
        account.groups.append(names[0].string ?? "")
      case .null, .bool, .array, .object: throw .malformed(.member("groups"))
      }
    }
    return account
  }
}
