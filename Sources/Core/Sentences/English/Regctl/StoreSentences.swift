/// Why a list of breached passwords cannot be built or used. regd's log has these sentences in English.
package enum BreachedListSentence: String, SentenceKey {
  case cannotOpen = "breachedList.cannotOpen: {list} cannot be opened: {reason}; `regctl breached build` makes one"
  case notAFile =
    "breachedList.notAFile: {list} is not a file that can be mapped (a directory, a device or a pipe); `regctl breached build` makes one"
  case notAList =
    "breachedList.notAList: {list} is not a list of breached passwords as regctl builds it; `regctl breached build` makes one"
  case newerVersion =
    "breachedList.newerVersion: {list} is of version {version}, made by a newer regctl; this one reads version {known}"
  case damagedHeader =
    "breachedList.damagedHeader: {list} is damaged: its header is not what the header's checksum says; `regctl breached build` makes one"
  case cutOffHeader =
    "breachedList.cutOffHeader: {list} is cut off at byte {count}, within its header; `regctl breached build` makes one"
  case cutOff = "breachedList.cutOff: {list} is cut off at {count} of {all} bytes; copy or build it again"
  case tooLong = "breachedList.tooLong: {list} has {count} bytes where its header says {all}; copy or build it again"
  case impossibleRate =
    "breachedList.impossibleRate: a false-positive rate of {rate} cannot be had; from 0.000001 to 0.1 can"
  case sizeUnknown =
    "breachedList.sizeUnknown: a pipe does not say how many hashes come through it; --entries has to, and may say somewhat more"
  case impossibleEntries =
    "breachedList.impossibleEntries: {count} entries cannot be planned for; from 0 to what the disk has room for can"
  case wouldReplaceInput =
    "breachedList.wouldReplaceInput: {list} is the list that is read, and would be replaced; name another file for the output"
  case notReplaced =
    "breachedList.notReplaced: {list} is a directory, a device or a pipe, and only a file can be replaced; name a file"
  case cannotRead = "breachedList.cannotRead: the list cannot be read: {reason}"
  case notAHashList =
    "breachedList.notAHashList: this is not a list of SHA-1 hashes: no line is HEX:COUNT with 40 hexadecimal digits"
  case cannotBeMapped = "breachedList.cannotBeMapped: {file} cannot be mapped into memory: {reason}"
  case cannotBeMade = "breachedList.cannotBeMade: {file} cannot be made: {reason}"
  case cannotBeGivenBytes = "breachedList.cannotBeGivenBytes: {file} cannot be given {count} bytes: {reason}"
  case cannotBeWritten = "breachedList.cannotBeWritten: {file} cannot be written to the disk: {reason}"
  case cannotBeGivenAName = "breachedList.cannotBeGivenAName: {file} cannot be given a name: {reason}"
  case cannotBeGivenItsName = "breachedList.cannotBeGivenItsName: {file} cannot be given its name: {reason}"
  case noLines = "breachedList.noLines: the list is empty"
  case allLeftOut =
    "breachedList.allLeftOut: none of {count} hashes has a count of {least} or more; ask for a lower one"
}

/// Why a line of published hashes is skipped.
package enum HashLineSentence: String, SentenceKey {
  case problem = "breachedList.line.problem: line {line}: {reason}"
  case tooLong = "breachedList.line.tooLong: it has more than {count} bytes, where a hash and a count have some 50"
  case noCount = "breachedList.line.noCount: it has no count, which the least count asks for; HEX:COUNT is expected"
  case empty = "breachedList.line.empty: it is empty"
  case noDigit =
    "breachedList.line.noDigit: {character} at column {column} is not a hexadecimal digit; HEX:COUNT is expected"
  case digits = "breachedList.line.digits: {count} hexadecimal digits, not 40"
  case ntlm =
    "breachedList.line.ntlm: {count} hexadecimal digits, not 40; this is how NTLM hashes look, and regd needs the SHA-1 list"
  case range =
    "breachedList.line.range: {count} hexadecimal digits, not 40; this is how a range of the web interface looks, whose first five digits are in its name"
  case sha256 =
    "breachedList.line.sha256: {count} hexadecimal digits, not 40; this is how SHA-256 looks, and regd needs the SHA-1 list"
  case noDigitOfCount = "breachedList.line.noDigitOfCount: {character} at column {column} is not a digit of a count"
  case countMissing = "breachedList.line.countMissing: there is no count after its colon"
  case countTooLong = "breachedList.line.countTooLong: its count has more than 18 digits"
}

/// Why a backup was not made.
package enum BackupSentence: String, SentenceKey {
  case failed = "backup.failed: {store} cannot be backed up: {reason}"
  case belongsToDatabase = "backup.belongsToDatabase: {file} belongs to the database next to it; give another name"
  case notAFile = "backup.notAFile: {file} exists and is not a file; a backup needs its own file"
  case theStore = "backup.theStore: {file} is the store itself; a backup goes to a file of its own"
  case inUse = "backup.inUse: {file} is a store in use, and no backup; give another name"
  case noBackup = "backup.noBackup: {file} exists and is not a backup of regd; move it away, or give another name"
  case cannotBeMade = "backup.cannotBeMade: {file} cannot be made: {reason}"
  case notOnDisk = "backup.notOnDisk: {file} cannot be written to the disk: {reason}"
  case notNamed = "backup.notNamed: {file} cannot be given its name: {reason}"
}
