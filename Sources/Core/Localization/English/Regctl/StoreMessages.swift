/// Why a list of breached passwords cannot be built or used. regd's log has these messages in English.
package enum BreachedListMessageKey: String, MessageKey {
  case cannotOpen =
    "breachedList.cannotOpen: {list} cannot be opened: {reason}; build a list with `regctl breached build`"
  case notAFile = """
    breachedList.notAFile: \
    {list} is a directory, a device or a pipe, and cannot be mapped into memory; build a list with `regctl breached \
    build`
    """
  case notAList = """
    breachedList.notAList: \
    {list} is not a list of breached passwords that regctl built; build a list with `regctl breached build`
    """
  case newerVersion = """
    breachedList.newerVersion: \
    {list} has version {version} and was built by a newer regctl; this regctl reads version {known}
    """
  case damagedHeader = """
    breachedList.damagedHeader: \
    {list} is damaged: the checksum of its header is wrong; build it again with `regctl breached build`
    """
  case cutOffHeader = """
    breachedList.cutOffHeader: \
    {list} is truncated at byte {count}, within its header; build it again with `regctl breached build`
    """
  case cutOff = "breachedList.cutOff: {list} is truncated at {count} of {all} bytes; copy or build it again"
  case tooLong =
    "breachedList.tooLong: {list} is {count} bytes long, but its header specifies {all} bytes; copy or build it again"
  case impossibleRate =
    "breachedList.impossibleRate: a false-positive rate of {rate} is not possible; choose a rate from 0.000001 to 0.1"
  case sizeUnknown = """
    breachedList.sizeUnknown: \
    the number of hashes cannot be determined from a pipe; give this number, or a slightly higher number, with \
    --entries
    """
  case impossibleEntries = """
    breachedList.impossibleEntries: \
    a list of {count} entries is not possible; the number must not be negative, and the list must fit on the disk
    """
  case wouldReplaceInput =
    "breachedList.wouldReplaceInput: {list} is both the input and the output; choose another file for the output"
  case notReplaced =
    "breachedList.notReplaced: {list} is a directory, a device or a pipe, and cannot be replaced; choose a file"
  case cannotRead = "breachedList.cannotRead: the list cannot be read: {reason}"
  case notAHashList = """
    breachedList.notAHashList: \
    this is not a list of SHA-1 hashes: expected lines of 40 hexadecimal digits, optionally followed by :COUNT
    """
  case cannotBeMapped = "breachedList.cannotBeMapped: {file} cannot be mapped into memory: {reason}"
  case cannotBeMade = "breachedList.cannotBeMade: {file} cannot be created: {reason}"
  case cannotBeGivenBytes = "breachedList.cannotBeGivenBytes: {count} bytes cannot be reserved for {file}: {reason}"
  case cannotBeWritten = "breachedList.cannotBeWritten: {file} cannot be written to the disk: {reason}"
  case cannotBeGivenAName = "breachedList.cannotBeGivenAName: the finished list cannot be saved as {file}: {reason}"
  case cannotBeGivenItsName = "breachedList.cannotBeGivenItsName: {file} cannot be moved into place: {reason}"
  case noLines = "breachedList.noLines: the list is empty"
  case allLeftOut =
    "breachedList.allLeftOut: no hash has a count of {least} or more (hashes read: {count}); choose a lower --min-count"
}

/// Why a line of published hashes is skipped.
package enum HashLineMessageKey: String, MessageKey {
  case problem = "breachedList.line.problem: line {line}: {reason}"
  case tooLong =
    "breachedList.line.tooLong: the line is longer than {count} bytes, but a hash and a count take only about 50 bytes"
  case noCount = "breachedList.line.noCount: the line has no count, which --min-count needs; expected HEX:COUNT"
  case empty = "breachedList.line.empty: the line is empty"
  case noDigit =
    "breachedList.line.noDigit: {character} at column {column} is not a hexadecimal digit; expected HEX or HEX:COUNT"
  case digits = """
    breachedList.line.digits: \
    the hash has {count, plural, one {# hexadecimal digit} other {# hexadecimal digits}}, not 40
    """
  case ntlm = """
    breachedList.line.ntlm: \
    the hash has {count} hexadecimal digits, not 40; this looks like an NTLM hash, but regd needs the SHA-1 list
    """
  case range = """
    breachedList.line.range: \
    the hash has {count} hexadecimal digits, not 40; this looks like a range file from the web interface, in which \
    each hash lacks its first five digits
    """
  case sha256 = """
    breachedList.line.sha256: \
    the hash has {count} hexadecimal digits, not 40; this looks like SHA-256, but regd needs the SHA-1 list
    """
  case noDigitOfCount =
    "breachedList.line.noDigitOfCount: the count contains {character} at column {column}, which is not a digit"
  case countMissing = "breachedList.line.countMissing: there is no count after the colon"
  case countTooLong = "breachedList.line.countTooLong: the count has more than 18 digits"
}

/// Why a backup was not made.
package enum BackupMessageKey: String, MessageKey {
  case failed = "backup.failed: {store} cannot be backed up: {reason}"
  case belongsToDatabase = "backup.belongsToDatabase: {file} belongs to the database next to it; choose another name"
  case notAFile = "backup.notAFile: {file} exists and is not a regular file; choose another name"
  case theStore = "backup.theStore: {file} is the store itself; choose another name"
  case inUse = "backup.inUse: {file} is a store in use, not a backup; choose another name"
  case noBackup = "backup.noBackup: {file} exists and is not a regd backup; move it away, or choose another name"
  case cannotBeMade = "backup.cannotBeMade: {file} cannot be created: {reason}"
  case notOnDisk = "backup.notOnDisk: {file} cannot be written to the disk: {reason}"
  case notNamed = "backup.notNamed: {file} cannot be moved into place: {reason}"
}
