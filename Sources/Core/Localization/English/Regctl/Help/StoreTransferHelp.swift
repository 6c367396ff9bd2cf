/// Help of the commands that move accounts from one place to another.
package enum StoreTransferHelp: String, MessageKey {
  case `import` = "help.moving.import: Import accounts with their password hashes; for administrators"
  case importMore = """
    help.moving.importMore: \
    Without --from, reads one JSON object per line, as written by `regctl export`: '{'"email": …, "passwordHash": \
    "$argon2id$…", "state": "active", "createdAt": …, "id": …'}'. Only the first two members are required. Hashes can \
    be argon2, scrypt, bcrypt, PBKDF2, sha-crypt, yescrypt, phpass or '{'SSHA'}', or those of Django, WordPress and \
    Firebase.

    The import never overwrites anything, and an existing account counts as imported. After an interruption, run the \
    import again, or continue it with --from-line. The exit status is 1 if a line was refused.

    With --from, reads the export of another system; `man 7 regd-import` gives the command that creates the export.
    """
  case importFile = "help.moving.importFile: File to import, or - for standard input; with --from, one or more files"
  case fromLine = "help.moving.fromLine: Start at this line of the file"
  case export = "help.moving.export: Export all accounts with their password hashes; for administrators"
  case exportMore = """
    help.moving.exportMore: \
    Writes one JSON object per line, for `regctl import`, or CSV, for `regctl import --from csv`. The file is readable \
    only by its owner. An export contains neither the audit nor the records of requestIds; `regctl backup` makes a \
    complete backup.
    """
  case exportFormat = "help.moving.exportFormat: Format of the export"
  case exportFile = "help.moving.exportFile: File to write, which must not exist yet, or - for standard output"
  case backup = "help.moving.backup: Back up the store to a file while regd is running, and verify the backup"
  case backupMore = """
    help.moving.backupMore: \
    Run this command as root or as the user regd, because it reads the database of regd. The backup is a snapshot of \
    one moment. It is verified before it gets its final name, and replaces an earlier backup. To restore a backup: \
    stop regd, put the backup at store.sqlite.path as a file owned by the user regd, remove the -wal and -shm files \
    next to it, and start regd.
    """
  case backupFile = "help.moving.backupFile: Backup file to write"
  case move = "help.moving.move: Move all accounts from SQLite to PostgreSQL, or to another file, while regd is running"
  case moveMore = """
    help.moving.moveMore: \
    Copies all accounts, compares both stores, and exits; run the command again to copy later changes as well. Then \
    set the target in the configuration, and run the same command with --switch. The switch copies the remaining \
    changes and makes regd use the target; changes are paused for at most a second. Until then, --abandon ends the \
    move. After any interruption, run the same command to continue. Run this command as root or as the user regd, \
    because it reads and writes the database of regd.
    """
  case moveSwitch = "help.moving.moveSwitch: Switch regd to the target once the target contains everything"
  case moveAbandon = """
    help.moving.moveAbandon: \
    End the move: remove the copied accounts from the target, and the records of the move from both stores. If no \
    target is given, remove only the records in the old store.
    """
  case moveTo = """
    help.moving.moveTo: \
    Target: postgresql://USER@HOST/DATABASE, or the path of a file. A password given here is visible to all users; use \
    --to-file instead.
    """
  case moveToFile = """
    help.moving.moveToFile: \
    File whose first line names the target, or - for standard input (default: the target in the \
    environment variable REGD_STORE_POSTGRESQL_URL)
    """
  case moveDatabase = "help.moving.moveDatabase: Database to move (default: the one that regd uses)"
  case migrate = "help.moving.migrate: Update the schema of a store"
  case migrateMore = """
    help.moving.migrateMore: \
    regd also updates the schema whenever it starts. With --dry-run, changes nothing and prints the versions and the \
    statements. The schema is updated to the version that this regctl uses; a newer schema is never downgraded. \
    Without --store and --store-file, regctl asks regd where its database is.
    """
  case migrateStore = """
    help.moving.migrateStore: \
    Store to update: the path of a database, or postgresql://USER@HOST/DATABASE. A password given here is visible to \
    all users; use --store-file instead.
    """
  case migrateStoreFile = """
    help.moving.migrateStoreFile: \
    File whose first line names the store, or - for standard input (default: the store in the \
    environment variable REGD_STORE_POSTGRESQL_URL)
    """
  case migrateDryRun = "help.moving.migrateDryRun: Print what would be done, without changing anything"
}

/// Help of `regctl import --from`.
package enum ForeignHelp: String, MessageKey {
  /// The heading of these options.
  case title = "help.foreign.title: Other systems"
  case from = "help.foreign.from: System that wrote the file"
  case dryRun = """
    help.foreign.dryRun: \
    Print what would be imported and what would be refused, without changing anything or contacting regd
    """
  case report = """
    help.foreign.report: \
    File to create for refused records, one JSON object per line (default: standard error)
    """
  case unproven = """
    help.foreign.unproven: \
    State for accounts whose address was never verified, if the system records verification (default: refuse these \
    accounts)
    """
  case noPassword = """
    help.foreign.noPassword: \
    Also import accounts whose hash is missing or refused, but without a password; their owners can set a password \
    with regctl recover
    """
  case domain = "help.foreign.domain: With --from passwd, domain to append to names that are not addresses"
  case namespace = """
    help.foreign.namespace: \
    UUID namespace from which this import derives account ids; needed if an earlier import with the same --from used \
    the same ids
    """
  case firebaseRounds = """
    help.foreign.firebaseRounds: \
    With --from firebase, the value of "rounds" in the project's hash_config
    """
  case firebaseMemCost =
    "help.foreign.firebaseMemCost: With --from firebase, the value of \"mem_cost\" in the project's hash_config"
  case firebaseSaltSeparator = """
    help.foreign.firebaseSaltSeparator: \
    With --from firebase, the value of "base64_salt_separator" in the project's hash_config
    """
}

/// Help of `regctl breached`.
package enum BreachedHelp: String, MessageKey {
  case abstract = "help.breached.abstract: Build and query the list of leaked passwords (password.breached)"
  case discussion = """
    help.breached.discussion: \
    This command needs neither regd nor a network, because the list is a file.
    """
  case build =
    "help.breached.build: Build a list from published SHA-1 hashes: one HEX or HEX:COUNT per line, in any order"
  case buildMore = """
    help.breached.buildMore: \
    After a rebuild, a running regd keeps using the old list until `regctl reload` or a restart.
    """
  case hashes = "help.breached.hashes: File of hashes, or - for standard input"
  case output = "help.breached.output: File to write the list to; an existing list is replaced"
  case falsePositives = """
    help.breached.falsePositives: \
    False-positive rate: the fraction of passwords outside the list that may be refused by mistake, 0.000001 to 0.1
    """
  case minCount = "help.breached.minCount: Leave out hashes with a count below this number"
  case entries =
    "help.breached.entries: Number of hashes to plan for (default: estimated; required if the hashes come through a pipe)"
  case check = "help.breached.check: Check whether the list contains a password; exit status 1 if it does"
  case list = "help.breached.list: File that contains the list"
  case info = """
    help.breached.info: \
    Show the size, build time and false-positive rate of a list; with --verify, also check it for damage
    """
  case verify = "help.breached.verify: Check the whole list for damage; exit status 1 if it is damaged"
}
