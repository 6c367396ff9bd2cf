/// Problems of a file that another system has written.
package enum ExportMessageKey: String, MessageKey {
  case unreadable = "export.unreadable: {file} cannot be read after line {line}: {reason}"
  case utf16 = "export.utf16: {file} is UTF-16; convert it with iconv -f UTF-16 -t UTF-8"
  case compressed = "export.compressed: {file} is compressed; unpack it first"
  case database = "export.database: {file} is a database; export its accounts as text"
  case binary = "export.binary: {file} is not a text file"
  case nothing = "export.nothing: {file} is empty"
  case truncated =
    "export.truncated: {file} is incomplete: the part that begins on line {line} has no end; export the data again"
  case openQuote = "export.openQuote: {file} cannot be read: the quotation mark on line {line} is never closed"
  case noObject = "export.noObject: {file} cannot be read: expected an object in the JSON on line {line}"
  case noMember = "export.noMember: {file} cannot be read: expected a member name in the JSON on line {line}"
  case noColon = "export.noColon: {file} cannot be read: expected a colon in the JSON on line {line}"
  case noComma = "export.noComma: {file} cannot be read: expected a comma in the JSON on line {line}"
  case csvForJSON = """
    export.csvForJSON: \
    {file} looks like CSV, not JSON; use --from csv, or --from with the system that wrote the file
    """
  case noArray =
    "export.noArray: {file} has no array named \"{name}\", so it is not the export that contains the accounts"
  case columnMissing =
    "export.columnMissing: {file} has no column \"{name}\"; the first line must contain the column names"
  case columnTwice = "export.columnTwice: {file} has two columns named \"{name}\""
  case columnUnknown = "export.columnUnknown: {file} has an unknown column \"{name}\"; the allowed columns are {names}"
  case columnsUnreadable = "export.columnsUnreadable: {file} does not begin with a line of column names"
  case noTable = "export.noTable: {file} has no rows of {table}; export the data of this table"
  case insertions =
    "export.insertions: {file} contains the rows of {table} as INSERT statements; export them with COPY (pg_dump without --inserts, supabase db dump --use-copy)"
}

/// Why a record of another system's export is not accepted.
package enum RecordMessageKey: String, MessageKey {
  case place = "record.place: {file}:{line} (record {number})"
  case tooLarge = "record.tooLarge: The record is larger than {count} KiB."
  case notUTF8 = "record.notUTF8: The record is not UTF-8; convert the file, for example with iconv -f LATIN1 -t UTF-8."
  case json = "record.json: The record is not valid JSON (RFC 8259)."
  case ldif = "record.ldif: A line of the entry does not begin with a name and a colon."
  case base64 = "record.base64: A value of the entry is not valid base64."
  case colons = "record.colons: The line has no colon between the name and the hash."
  case quote =
    "record.quote: A field contains a quotation mark that is not doubled; double it, and quote the whole field."
  case columns = "record.columns: The record has {count} fields, but there are {expected} columns."
  case member = "record.member: \"{name}\" is missing or has the wrong type."
  case change = """
    record.change: \
    The entry describes a change to a directory (changetype); the entries of an export have no changetype.
    """
  case noAddress = "record.noAddress: The account has no email address."
  case addresses = "record.addresses: The account has {count} email addresses; keep only the correct one."
  case bareName = "record.bareName: The name is not an email address; use --domain DOMAIN to turn it into one."
  case addressIsNone = "record.addressIsNone: This is not a valid email address."
  case duplicate = """
    record.duplicate: \
    This address is also used at {places}, so none of these records is imported. Keep only one of these records, or \
    give the others different addresses.
    """
  case duplicateOfMore = """
    record.duplicateOfMore: \
    This address is also used at {places} and {count} more, so none of these records is imported. Keep only one of \
    these records, or give the others different addresses.
    """
  case noPassword =
    "record.noPassword: The account has no password in this file: its owner signs in by other means, or not at all."
  case passwords = "record.passwords: The account has {count} passwords; keep only the correct one."
  case clearPassword = "record.clearPassword: The hash field does not contain a hash."
  case family = """
    record.family: \
    Password hashes of the type {family} are not accepted; use --no-password to import the account without a password.
    """
  case time = "record.time: \"{text}\" is not a valid time."
  case unproven = """
    record.unproven: \
    The address was never verified, so the owner could not sign in; use --unproven active or --unproven disabled to \
    import the account.
    """
  case deleted = "record.deleted: The account was deleted."
  case machine = "record.machine: The account does not belong to a person."
  case state = "record.state: \"{text}\" is not a state; use active, disabled, pending or waiting."
  case groups = "record.groups: The account is in more than {limit} groups."
  case groupsMisnamed = """
    record.groupsMisnamed: \
    The account is imported without {groups}. A group name has 1 to 32 lower-case letters, digits, ".", "_" or "-", \
    and begins with a letter or digit.
    """
  case groupsMissing = """
    record.groupsMissing: \
    The account is imported without the groups {groups}, because no file contains their names; export the groups as \
    well.
    """
}
