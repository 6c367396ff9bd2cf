/// Why a list of breached passwords cannot be built or used. regd's log has these sentences in English.
package enum BreachedListSentence: String, SentenceKey {
  package static let area = "breachedList"

  case cannotOpen = "{list} cannot be opened: {reason}; `regctl breached build` makes one"
  case notAFile =
    "{list} is not a file that can be mapped (a directory, a device or a pipe); `regctl breached build` makes one"
  case notAList = "{list} is not a list of breached passwords as regctl builds it; `regctl breached build` makes one"
  case newerVersion = "{list} is of version {version}, made by a newer regctl; this one reads version {known}"
  case damagedHeader =
    "{list} is damaged: its header is not what the header's checksum says; `regctl breached build` makes one"
  case cutOffHeader = "{list} is cut off at byte {count}, within its header; `regctl breached build` makes one"
  case cutOff = "{list} is cut off at {count} of {all} bytes; copy or build it again"
  case tooLong = "{list} has {count} bytes where its header says {all}; copy or build it again"
  case impossibleRate = "a false-positive rate of {rate} cannot be had; from 0.000001 to 0.1 can"
  case sizeUnknown =
    "a pipe does not say how many hashes come through it; --entries has to, and may say somewhat more"
  case impossibleEntries = "{count} entries cannot be planned for; from 0 to what the disk has room for can"
  case wouldReplaceInput =
    "{list} is the list that is read, and would be replaced; name another file for the output"
  case notReplaced =
    "{list} is a directory, a device or a pipe, and only a file can be replaced; name a file"
  case cannotRead = "the list cannot be read: {reason}"
  case notAHashList = "this is not a list of SHA-1 hashes: no line is HEX:COUNT with 40 hexadecimal digits"
  case cannotBeMapped = "{file} cannot be mapped into memory: {reason}"
  case cannotBeMade = "{file} cannot be made: {reason}"
  case cannotBeGivenBytes = "{file} cannot be given {count} bytes: {reason}"
  case cannotBeWritten = "{file} cannot be written to the disk: {reason}"
  case cannotBeGivenAName = "{file} cannot be given a name: {reason}"
  case cannotBeGivenItsName = "{file} cannot be given its name: {reason}"
  case noLines = "the list is empty"
  case allLeftOut = "none of {count} hashes has a count of {least} or more; ask for a lower one"
}

/// Why a line of published hashes is skipped.
package enum HashLineSentence: String, SentenceKey {
  package static let area = "breachedList.line"

  case problem = "line {line}: {reason}"
  case tooLong = "it has more than {count} bytes, where a hash and a count have some 50"
  case noCount = "it has no count, which the least count asks for; HEX:COUNT is expected"
  case empty = "it is empty"
  case noDigit = "{character} at column {column} is not a hexadecimal digit; HEX:COUNT is expected"
  case digits = "{count} hexadecimal digits, not 40"
  case ntlm = "{count} hexadecimal digits, not 40; this is how NTLM hashes look, and regd needs the SHA-1 list"
  case range =
    "{count} hexadecimal digits, not 40; this is how a range of the web interface looks, whose first five digits are in its name"
  case sha256 = "{count} hexadecimal digits, not 40; this is how SHA-256 looks, and regd needs the SHA-1 list"
  case noDigitOfCount = "{character} at column {column} is not a digit of a count"
  case countMissing = "there is no count after its colon"
  case countTooLong = "its count has more than 18 digits"
}

/// Why a backup was not made.
package enum BackupSentence: String, SentenceKey {
  package static let area = "backup"

  case failed = "{store} cannot be backed up: {reason}"
  case belongsToDatabase = "{file} belongs to the database next to it; give another name"
  case notAFile = "{file} exists and is not a file; a backup needs its own file"
  case theStore = "{file} is the store itself; a backup goes to a file of its own"
  case inUse = "{file} is a store in use, and no backup; give another name"
  case noBackup = "{file} exists and is not a backup of regd; move it away, or give another name"
  case cannotBeMade = "{file} cannot be made: {reason}"
  case notOnDisk = "{file} cannot be written to the disk: {reason}"
  case notNamed = "{file} cannot be given its name: {reason}"
}
