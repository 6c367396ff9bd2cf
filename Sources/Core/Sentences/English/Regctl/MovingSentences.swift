/// Messages while accounts are imported, exported, backed up and moved.
package enum MovingSentence: String, SentenceKey {
  case lineTooLong = "regctl.moving.lineTooLong: a line may have at most {count} bytes"
  case notAnObject = "regctl.moving.notAnObject: this is no JSON object; right is '{\"email\": …, \"passwordHash\": …}'"
  case notFlat = "regctl.moving.notFlat: a record has no lists and no objects in it"
  case line = "regctl.moving.line: {file}:{line}: {reason}"
  case importStopped = "regctl.moving.importStopped: imported {count}, and then stopped; to go on: {command}"
  case imported = "regctl.moving.imported: imported {imported}, refused {refused}"
  case exportLacks =
    "regctl.moving.exportLacks: {count, plural, one {# account could not be read and is not in the export} other {# accounts could not be read and are not in the export}}: {accounts} (met since regd was started; see its log)"
  case exportWithoutTerms =
    "regctl.moving.exportWithoutTerms: accounts whose accepted terms are not in this CSV, because none are in force: {count}; jsonl has them"
  case backedUp =
    "regctl.moving.backedUp: {file}: {accounts, plural, one {# account} other {# accounts}}, {bytes} bytes, verified"
  case copying = "regctl.moving.copying: copying: {percent} %"
  case migrated = "regctl.moving.migrated: brought the schema from version {from} to {to}"
  case wouldMigrate = "regctl.moving.wouldMigrate: would bring the schema from version {from} to {to}"
  case upToDate = "regctl.moving.upToDate: up to date: version {version}"
  case storeReason = "regctl.moving.storeReason: {store}: {reason}"
  case noRoom = "regctl.moving.noRoom: there is no room"
  case readOnly = "regctl.moving.readOnly: it may not be written"
  case givenUp = "regctl.moving.givenUp: it was given up"
  case onlySQLite = "regctl.moving.onlySQLite: the store of this regd is {backend}; only sqlite is moved"
  case movedAlready = "regctl.moving.movedAlready: {path} was moved to {target} already; its accounts are there"
  case abandoned = "regctl.moving.abandoned: the move is ended: {path} is as it was, and the target has nothing of it"
  case abandonedHere =
    "regctl.moving.abandonedHere: the move is ended: {path} is as it was; the target keeps what it has, and no regd opens it"
  case noMove = "regctl.moving.noMove: no move out of {path} is under way"
  case switched = "regctl.moving.switched: regd serves {target}; changes waited for {milliseconds} ms"
  case moved = "regctl.moving.moved: {path} is moved to {target}, where regd starts from now on"
  case copied = """
    regctl.moving.copied: \
    copied and compared. {path} stays the store, and what is changed in it comes along. Next: have the configuration say
    {configuration}
    and type the same with --switch. Until then --abandon ends the move.
    """
  case theSameURL = "regctl.moving.theSameURL: the same URL; or as a credential"
  case rows = "regctl.moving.rows: {table}: {count, plural, one {# row} other {# rows}}, checksum {checksum}"
  case goesOn = "regctl.moving.goesOn: {reason}; the same command continues where it stopped"
  case differs =
    "regctl.moving.differs: {reason}: another program has changed the target, or a disk fails; end this move with --abandon"
  case namesTheSameStore =
    "regctl.moving.namesTheSameStore: regd's configuration names the store that regd serves now; have it say\n{configuration}"
  case noHold = "regctl.moving.noHold: regd gave the hold no name"
}

/// The progress of long work.
package enum ProgressSentence: String, SentenceKey {
  /// `count` is shortened for display, for example 12.3 M; `number` is the exact number, which selects the plural form.
  case requests = "regctl.progress.requests: {number, plural, one {{count} request} other {{count} requests}}"
  case lines = "regctl.progress.lines: {number, plural, one {{count} line} other {{count} lines}}"
  case accounts = "regctl.progress.accounts: {number, plural, one {{count} account} other {{count} accounts}}"
  case records = "regctl.progress.records: {number, plural, one {{count} record} other {{count} records}}"
  case recordsRead =
    "regctl.progress.recordsRead: {number, plural, one {{count} record read} other {{count} records read}}"
  case writing = "regctl.progress.writing: writing to the disk"
  case left = "regctl.progress.left: {time} left"
  case took = "regctl.progress.took: {done} in {time}, {rate}/s"
  case cells = "regctl.progress.cells: {count} of {all} cells"
}
