/// Problems of a file that another system has written.
package enum ExportSentence: String, SentenceKey {
  case unreadable = "export.unreadable: {file} cannot be read after line {line}: {reason}"
  case utf16 = "export.utf16: {file} is UTF-16; make it UTF-8: iconv -f UTF-16 -t UTF-8"
  case compressed = "export.compressed: {file} is compressed; unpack it first"
  case database = "export.database: {file} is a database itself; export its accounts as text"
  case binary = "export.binary: {file} is not a text file"
  case nothing = "export.nothing: {file} is empty"
  case truncated =
    "export.truncated: {file} is cut short: a part that begins in line {line} does not end; export it again"
  case openQuote = "export.openQuote: {file} has a quotation mark in line {line} that is never closed"
  case noObject = "export.noObject: {file} is not the JSON that was expected: line {line} should have an object"
  case noMember = "export.noMember: {file} is not the JSON that was expected: line {line} should have a member's name"
  case noColon = "export.noColon: {file} is not the JSON that was expected: line {line} should have a colon"
  case noComma = "export.noComma: {file} is not the JSON that was expected: line {line} should have a comma"
  case noArray = "export.noArray: {file} has no array \"{name}\": this is not the export with the accounts in it"
  case columnMissing =
    "export.columnMissing: {file} has no column \"{name}\"; the first line must have the columns' names"
  case columnTwice = "export.columnTwice: {file} has two columns \"{name}\""
  case columnUnknown = "export.columnUnknown: {file} has a column \"{name}\" that means nothing here; there are {names}"
  case columnsUnreadable = "export.columnsUnreadable: {file} does not begin with a line of columns' names"
  case noTable = "export.noTable: {file} has no rows of {table}; export the data of this table"
  case insertions =
    "export.insertions: {file} has the rows of {table} as INSERT statements; export them with COPY (pg_dump without --inserts, supabase db dump --use-copy)"
}

/// Why a record of another system's export is not accepted.
package enum RecordSentence: String, SentenceKey {
  case place = "record.place: {file}:{line} (record {number})"
  case tooLarge = "record.tooLarge: The record has more than {count} KiB."
  case notUTF8 = "record.notUTF8: The record is not UTF-8; convert the file, as with iconv -f LATIN1 -t UTF-8."
  case json = "record.json: The record is not JSON (RFC 8259)."
  case ldif = "record.ldif: A line of the entry has no name and colon in front."
  case base64 = "record.base64: A value of the entry is not base64."
  case colons = "record.colons: The line has no colon."
  case quote =
    "record.quote: A quotation mark stands within a field; there it has to be doubled, and the field quoted."
  case columns = "record.columns: The record has {count} fields; the columns are {expected}."
  case member = "record.member: \"{name}\" is missing, or has another type than the export gives it."
  case change = "record.change: The entry changes a directory (changetype); an export has entries without it."
  case noAddress = "record.noAddress: The account has no e-mail address."
  case addresses = "record.addresses: The account has {count} e-mail addresses; leave the one that it is to have."
  case bareName = "record.bareName: The name is not an address; with --domain DOMAIN it becomes one."
  case addressIsNone = "record.addressIsNone: This is not a valid address."
  case duplicate =
    "record.duplicate: For regd this is the same address as that of {places}: none of them is taken. Leave one, or give the others another address."
  case duplicateOfMore =
    "record.duplicateOfMore: For regd this is the same address as that of {places} and {count} more: none of them is taken. Leave one, or give the others another address."
  case noPassword = "record.noPassword: The account has no password here: it signs in by other means, or not at all."
  case passwords = "record.passwords: The account has {count} passwords; leave the one that is to be right."
  case clearPassword = "record.clearPassword: The hash field does not contain a hash."
  case family = "record.family: A hash of {family} is not accepted; --no-password imports the account without it."
  case time = "record.time: \"{text}\" is not a time."
  case unproven =
    "record.unproven: The address was never proven, and its owner could not sign in; --unproven active or disabled takes the account."
  case deleted = "record.deleted: The account was deleted."
  case machine = "record.machine: The account belongs to no person."
  case state = "record.state: \"{text}\" is not a state; right is active, disabled, pending or waiting."
}
