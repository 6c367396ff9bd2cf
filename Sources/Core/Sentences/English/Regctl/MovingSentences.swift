/// Messages while accounts are imported, exported, backed up and moved.
package enum MovingSentence: String, SentenceKey {
  package static let area = "regctl.moving"

  case lineTooLong = "a line may have at most {count} bytes"
  case notAnObject = "this is no JSON object; right is '{\"email\": …, \"passwordHash\": …}'"
  case notFlat = "a record has no lists and no objects in it"
  case line = "{file}:{line}: {reason}"
  case importStopped = "imported {count}, and then stopped; to go on: {command}"
  case imported = "imported {imported}, refused {refused}"
  case exportLacks =
    "{count, plural, one {# account could not be read and is not in the export} other {# accounts could not be read and are not in the export}}: {accounts} (met since regd was started; see its log)"
  case exportWithoutTerms =
    "accounts whose accepted terms are not in this CSV, because none are in force: {count}; jsonl has them"
  case backedUp =
    "{file}: {accounts, plural, one {# account} other {# accounts}}, {bytes} bytes, verified"
  case copying = "copying: {percent} %"
  case migrated = "brought the schema from version {from} to {to}"
  case wouldMigrate = "would bring the schema from version {from} to {to}"
  case upToDate = "up to date: version {version}"
  case storeReason = "{store}: {reason}"
  case noRoom = "there is no room"
  case readOnly = "it may not be written"
  case givenUp = "it was given up"
  case onlySQLite = "the store of this regd is {backend}; only sqlite is moved"
  case movedAlready = "{path} was moved to {target} already; its accounts are there"
  case abandoned = "the move is ended: {path} is as it was, and the target has nothing of it"
  case abandonedHere =
    "the move is ended: {path} is as it was; the target keeps what it has, and no regd opens it"
  case noMove = "no move out of {path} is under way"
  case switched = "regd serves {target}; changes waited for {milliseconds} ms"
  case moved = "{path} is moved to {target}, where regd starts from now on"
  case copied = """
    copied and compared. {path} stays the store, and what is changed in it comes along. Next: have the configuration say
    {configuration}
    and type the same with --switch. Until then --abandon ends the move.
    """
  case theSameURL = "the same URL; or as a credential"
  case rows = "{table}: {count, plural, one {# row} other {# rows}}, checksum {checksum}"
  case goesOn = "{reason}; the same command continues where it stopped"
  case differs =
    "{reason}: another program has changed the target, or a disk fails; end this move with --abandon"
  case namesTheSameStore = "regd's configuration names the store that regd serves now; have it say\n{configuration}"
  case noHold = "regd gave the hold no name"
}

/// The progress of long work.
package enum ProgressSentence: String, SentenceKey {
  package static let area = "regctl.progress"

  /// `count` is shortened, for example 12.3 M; `number` is the whole number.
  case requests = "{number, plural, one {{count} request} other {{count} requests}}"
  case lines = "{number, plural, one {{count} line} other {{count} lines}}"
  case accounts = "{number, plural, one {{count} account} other {{count} accounts}}"
  case records = "{number, plural, one {{count} record} other {{count} records}}"
  case recordsRead = "{number, plural, one {{count} record read} other {{count} records read}}"
  case writing = "writing to the disk"
  case left = "{time} left"
  case took = "{done} in {time}, {rate}/s"
  case cells = "{count} of {all} cells"
}
