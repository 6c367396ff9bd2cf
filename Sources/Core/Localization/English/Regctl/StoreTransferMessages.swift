/// Messages while accounts are imported, exported, backed up and moved.
package enum StoreTransferMessageKey: String, MessageKey {
  case lineTooLong = "regctl.moving.lineTooLong: a line may be at most {count} bytes long"
  case notAnObject =
    "regctl.moving.notAnObject: this is not a JSON object; expected '{\"email\": …, \"passwordHash\": …}'"
  case notFlat =
    "regctl.moving.notFlat: a record must not contain arrays or objects, except in \"groups\" and \"terms\""
  case line = "regctl.moving.line: {file}:{line}: {reason}"
  case importStopped = "regctl.moving.importStopped: imported {count}, then stopped; to continue, run {command}"
  case imported = "regctl.moving.imported: imported {imported}, refused {refused}"
  case exportLacks = """
    regctl.moving.exportLacks: \
    {count, plural, one {# account could not be read and is not in the export} other {# accounts could not be read and \
    are not in the export}}: {accounts} (regd has found this damage since it started; see its log)
    """
  case exportWithoutTerms = """
    regctl.moving.exportWithoutTerms: \
    this CSV file lacks the accepted terms of {count, plural, one {# account} other {# accounts}}, because no terms \
    are in force; to export the terms as well, use the format jsonl
    """
  case backedUp =
    "regctl.moving.backedUp: {file}: {accounts, plural, one {# account} other {# accounts}}, {bytes} bytes, verified"
  case copying = "regctl.moving.copying: copying: {percent}%"
  case migrated = "regctl.moving.migrated: migrated the schema from version {from} to {to}"
  case wouldMigrate = "regctl.moving.wouldMigrate: would migrate the schema from version {from} to {to}"
  case upToDate = "regctl.moving.upToDate: the schema is up to date (version {version})"
  case storeReason = "regctl.moving.storeReason: {store}: {reason}"
  case noRoom = "regctl.moving.noRoom: the store is full"
  case readOnly = "regctl.moving.readOnly: the store is read-only"
  case givenUp = "regctl.moving.givenUp: the migration was cancelled"
  case onlySQLite = "regctl.moving.onlySQLite: regd's store is {backend}; only a sqlite store can be moved"
  case movedAlready = "regctl.moving.movedAlready: {path} was already moved to {target}; its accounts are there"
  case abandoned = """
    regctl.moving.abandoned: \
    the move has ended: {path} is unchanged, and the copied accounts were removed from the target
    """
  case abandonedHere = """
    regctl.moving.abandonedHere: \
    the move has ended: {path} is unchanged; the copied data remains in the target, which regd does not open
    """
  case noMove = "regctl.moving.noMove: no move from {path} is in progress"
  case switched = "regctl.moving.switched: regd now uses {target}; changes were paused for {milliseconds} ms"
  case moved = "regctl.moving.moved: {path} was moved to {target}; regd will use the target at its next start"
  case copied = """
    regctl.moving.copied: \
    the accounts were copied and compared. {path} remains the store until the switch, which also copies later changes. \
    Next, put this into the configuration
    {configuration}
    and run the same command with --switch. Until then, --abandon ends the move.
    """
  case theSameURL = "regctl.moving.theSameURL: the URL of the target, unless it is set as a credential"
  case rows = "regctl.moving.rows: {table}: {count, plural, one {# row} other {# rows}}, checksum {checksum}"
  case goesOn = "regctl.moving.goesOn: {reason}; to continue, run the same command again"
  case differs =
    "regctl.moving.differs: {reason}: another program changed the target, or a disk is failing; end this move with --abandon"
  case namesTheSameStore = """
    regctl.moving.namesTheSameStore: \
    regd's configuration still names the store that regd uses now; change the configuration to
    {configuration}
    """
  case noHold = "regctl.moving.noHold: regd did not return a name for the write pause"
}

/// The progress of long work.
package enum ProgressMessageKey: String, MessageKey {
  /// `count` is shortened for display, for example 12.3 M. `number` is the exact number, which selects the plural form.
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
