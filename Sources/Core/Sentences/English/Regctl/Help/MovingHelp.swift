/// Help of the commands that move accounts from one place to another.
package enum MovingHelp: String, SentenceKey {
  case `import` = "help.moving.import: Imports accounts with their password hashes; for administrators."
  case importMore = """
    help.moving.importMore: \
    Without --from: a JSON object a line, as `regctl export` writes them: '{"email": …, "passwordHash": "$argon2id$…", "state": \
    "active", "createdAt": …, "id": …}'; all but the first two may be left out. Hashes are argon2, \
    scrypt, bcrypt, PBKDF2, sha-crypt, yescrypt, phpass, '{'SSHA'}', and those of Django, WordPress and Firebase.

    Nothing is ever overwritten, and an account that is there already counts as imported: an import that was \
    interrupted can be done again, or gone on with by --from-line. Exit status 1 if a line was refused.

    With --from: what another system's own export has written; `man 8 regd` says by which command.
    """
  case importFile = "help.moving.importFile: The file; - is standard input. With --from it may be more than one."
  case fromLine = "help.moving.fromLine: Begin with this line."
  case export = "help.moving.export: Writes all accounts with their password hashes; for administrators."
  case exportMore = """
    help.moving.exportMore: \
    A JSON object a line, as `regctl import` reads them; or CSV, as `regctl import --from csv` does. The file is \
    readable by its owner only. A backup, which has the audit and the requests too, is made by `regctl backup`.
    """
  case exportFormat = "help.moving.exportFormat: How the accounts are written."
  case exportFile = "help.moving.exportFile: The file, which must not be there yet; - is standard output."
  case backup = "help.moving.backup: Copies the store to a file while regd keeps running, and checks the copy."
  case backupMore = """
    help.moving.backupMore: \
    Needs to read regd's database: as root, or as regd. The copy is of one moment, is checked before it gets its name, \
    and replaces an earlier one. To restore: stop regd, put the copy at store.sqlite.path as regd's own, remove what \
    lies beside it (-wal, -shm), start regd.
    """
  case backupFile = "help.moving.backupFile: The file to make."
  case move =
    "help.moving.move: Takes all accounts from SQLite to PostgreSQL, or to another file, while regd keeps running."
  case moveMore = """
    help.moving.moveMore: \
    Copies, compares all of both, and ends; what is changed from then on comes along with the next regctl move. Have the \
    configuration name the target, and type the same with --switch: changes wait for a second at most, and go on in the \
    target. Until then the way back is open: --abandon. Interrupted in whatever way, the same command continues where it \
    stopped. Needs to read and to write regd's database: as root, or as regd.
    """
  case moveSwitch = "help.moving.moveSwitch: Have regd serve the target, once it has all."
  case moveAbandon =
    "help.moving.moveAbandon: End the move: remove what it has brought, and all traces. Without a target, those in the database."
  case moveTo =
    "help.moving.moveTo: postgresql://USER@HOST/DATABASE, or the path of a file. A password there is seen by all users: see --to-file."
  case moveToFile =
    "help.moving.moveToFile: A file whose first line is the target, - for standard input; else REGD_STORE_POSTGRESQL_URL."
  case moveDatabase = "help.moving.moveDatabase: The database to be moved; else regd is asked where it is."
  case migrate = "help.moving.migrate: Brings the schema of a store up to date, or says what would do so."
  case migrateMore = """
    help.moving.migrateMore: \
    A regd that starts does the same by itself. With --dry-run nothing is changed: the versions and the statements are \
    printed. The schema is that of this regctl; a newer one is never taken back. Without --store and --store-file regd is \
    asked where its database is.
    """
  case migrateStore =
    "help.moving.migrateStore: The path of a database, or postgresql://USER@HOST/DATABASE. A password there is seen by all users."
  case migrateStoreFile =
    "help.moving.migrateStoreFile: A file whose first line is the store, - for standard input; else REGD_STORE_POSTGRESQL_URL."
  case migrateDryRun = "help.moving.migrateDryRun: Only say what would be done."
}

/// Help of `regctl import --from`.
package enum ForeignHelp: String, SentenceKey {
  /// The heading of these options.
  case title = "help.foreign.title: Other systems"
  case from = "help.foreign.from: The system that has written the file."
  case dryRun = "help.foreign.dryRun: Change nothing and ask no regd: say what would be imported, and what would not."
  case report =
    "help.foreign.report: A new file for the records that are not taken, a JSON object a line; else standard error tells them."
  case unproven = "help.foreign.unproven: The state of accounts whose address was never proven, where the system knows."
  case noPassword =
    "help.foreign.noPassword: Also import the accounts whose hash is missing or refused, without a password; their owners set one with regctl recover."
  case domain = "help.foreign.domain: With passwd: makes addresses of names that are none."
  case namespace = "help.foreign.namespace: A UUID, for an import whose ids another import of the same kind has taken."
  case firebaseRounds = "help.foreign.firebaseRounds: With firebase: \"rounds\" of the project's hash_config."
  case firebaseMemCost = "help.foreign.firebaseMemCost: With firebase: \"mem_cost\", likewise."
  case firebaseSaltSeparator = "help.foreign.firebaseSaltSeparator: With firebase: \"base64_salt_separator\", likewise."
}

/// Help of `regctl breached`.
package enum BreachedHelp: String, SentenceKey {
  case abstract =
    "help.breached.abstract: Builds and asks the list of passwords that leaks have made public (password.breached)."
  case discussion = "help.breached.discussion: Needs no regd, and no network: the list is a file."
  case build =
    "help.breached.build: Makes a list from published SHA-1 hashes, a line each: HEX or HEX:COUNT, in any order."
  case buildMore = "help.breached.buildMore: A regd that has the list open keeps the old one until it opens it again."
  case hashes = "help.breached.hashes: The hashes; - is standard input."
  case output = "help.breached.output: The list to make, or to replace."
  case falsePositives =
    "help.breached.falsePositives: The share of other passwords that may be refused by mistake, 0.000001 to 0.1."
  case minCount = "help.breached.minCount: Leave out what was seen less often."
  case entries = "help.breached.entries: How many hashes to plan for; needed where they come through a pipe."
  case check = "help.breached.check: Says whether the list has a password; exit status 1 if it has."
  case list = "help.breached.list: The list."
  case info = "help.breached.info: Says what a list has, and whether it is damaged."
  case verify = "help.breached.verify: Read all of it, and tell damage; exit status 1 if there is any."
}
