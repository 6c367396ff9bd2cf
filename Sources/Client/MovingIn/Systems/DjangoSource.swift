internal import RegdClient
internal import Registration

/// Users as Django's `manage.py dumpdata auth.user` writes them, in one array or one object per line. A project's own
/// user model is read if it has the fields of Django's; other models are skipped.
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
    return account
  }
}
