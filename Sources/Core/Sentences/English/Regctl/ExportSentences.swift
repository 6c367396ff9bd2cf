/// Problems of a file that another system has written.
package enum ExportSentence: String, SentenceKey {
  package static let area = "export"

  case unreadable = "{file} cannot be read after line {line}: {reason}"
  case utf16 = "{file} is UTF-16; make it UTF-8: iconv -f UTF-16 -t UTF-8"
  case compressed = "{file} is compressed; unpack it first"
  case database = "{file} is a database itself; export its accounts as text"
  case binary = "{file} is not a text file"
  case nothing = "{file} is empty"
  case truncated = "{file} is cut short: a part that begins in line {line} does not end; export it again"
  case openQuote = "{file} has a quotation mark in line {line} that is never closed"
  case noObject = "{file} is not the JSON that was expected: line {line} should have an object"
  case noMember = "{file} is not the JSON that was expected: line {line} should have a member's name"
  case noColon = "{file} is not the JSON that was expected: line {line} should have a colon"
  case noComma = "{file} is not the JSON that was expected: line {line} should have a comma"
  case noArray = "{file} has no array \"{name}\": this is not the export with the accounts in it"
  case columnMissing = "{file} has no column \"{name}\"; the first line must have the columns' names"
  case columnTwice = "{file} has two columns \"{name}\""
  case columnUnknown = "{file} has a column \"{name}\" that means nothing here; there are {names}"
  case columnsUnreadable = "{file} does not begin with a line of columns' names"
  case noTable = "{file} has no rows of {table}: no \"COPY {table} (…) FROM stdin;\""
  case insertions =
    "{file} has the rows of {table} as INSERT statements; export them with COPY (pg_dump without --inserts, supabase db dump --use-copy)"
}

/// Why a record of another system's export is not accepted.
package enum RecordSentence: String, SentenceKey {
  package static let area = "record"

  case place = "{file}:{line} (record {number})"
  case tooLarge = "The record has more than {count} KiB."
  case notUTF8 = "The record is not UTF-8; convert the file, as with iconv -f LATIN1 -t UTF-8."
  case json = "The record is not JSON (RFC 8259)."
  case ldif = "A line of the entry has no name and colon in front."
  case base64 = "A value of the entry is not base64."
  case colons = "The line has no colon."
  case quote =
    "A quotation mark stands within a field; there it has to be doubled, and the field quoted."
  case columns = "The record has {count} fields; the columns are {expected}."
  case member = "\"{name}\" is missing, or has another type than the export gives it."
  case change = "The entry changes a directory (changetype); an export has entries without it."
  case noAddress = "The account has no e-mail address."
  case addresses = "The account has {count} e-mail addresses; leave the one that it is to have."
  case bareName = "The name is not an address; with --domain DOMAIN it becomes one."
  case addressIsNone = "This is not a valid address."
  case duplicate =
    "For regd this is the same address as that of {places}: none of them is taken. Leave one, or give the others another address."
  case duplicateOfMore =
    "For regd this is the same address as that of {places} and {count} more: none of them is taken. Leave one, or give the others another address."
  case noPassword = "The account has no password here: it signs in by other means, or not at all."
  case passwords = "The account has {count} passwords; leave the one that is to be right."
  case clearPassword = "The hash field does not contain a hash."
  case family = "A hash of {family} is not taken; its owner needs a new password (regctl recover)."
  case time = "\"{text}\" is not a time."
  case unproven =
    "The address was never proven, and its owner could not sign in; --unproven active or disabled takes the account."
  case deleted = "The account was deleted."
  case machine = "The account belongs to no person."
  case state = "\"{text}\" is not a state; right is active, disabled, pending or waiting."
}
