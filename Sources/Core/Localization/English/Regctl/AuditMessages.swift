/// The output of `regctl audit`.
package enum AuditMessageKey: String, MessageKey {
  case verified = """
    regctl.audit.verified: \
    {entries, plural, one {# entry fits} other {# entries fit}} the present head and \
    {heads, plural, one {# earlier head} other {# earlier heads}}
    """
  case verifiedAlone = """
    regctl.audit.verifiedAlone: \
    {entries, plural, one {# entry fits} other {# entries fit}} the present head; give a file of heads with --heads to \
    also detect a past that was rewritten as a whole
    """
  case changed = "regctl.audit.changed: entry {entry} differs from the entry in the tree"
  case added = "regctl.audit.added: entry {entry} is not in the tree: another program has added it"
  case missing = "regctl.audit.missing: entries are missing after entry {after}, before entry {before}"
  case missingAtEnd = "regctl.audit.missingAtEnd: entries are missing after entry {after}"
  case missingAtBegin = "regctl.audit.missingAtBegin: entries are missing before entry {before}"
  case missingAll = "regctl.audit.missingAll: all entries are missing"
  case rewritten = """
    regctl.audit.rewritten: \
    the head in line {line} does not fit the entries: an entry after entry {after}, up to entry {through}, was changed \
    or removed, and the stored hashes were rewritten or come from an older copy of the database
    """
  case cutOff = """
    regctl.audit.cutOff: \
    the head in line {line} has {size} entries, but there are only {entries}: the last entries were cut off, or an \
    older copy of the database was restored
    """
  case commitment = """
    regctl.audit.commitment: \
    entry {entry}: the address or the origin is not the one that was recorded
    """
  case signature = "regctl.audit.signature: the signature of the head in line {line} is wrong"
  case presentSignature = "regctl.audit.presentSignature: the signature of the present head is wrong"
  case notLocated = """
    regctl.audit.notLocated: \
    the entries do not fit the present head, and the first entry that differs was not found: {reason}
    """
  case keyChanged = "regctl.audit.keyChanged: the key changes at the head in line {line}: {key}"
  case presentKeyChanged = "regctl.audit.presentKeyChanged: the key changes at the present head: {key}"
  case notHead = "regctl.audit.notHead: {file}: line {line} is not a head"
  case noHeads = "regctl.audit.noHeads: {file} contains no head"
  case unexpected = "regctl.audit.unexpected: the result of {method} does not have the documented form"
  case outOfOrder = "regctl.audit.outOfOrder: events.list returned entry {entry} after entry {other}"
  case proved = """
    regctl.audit.proved: \
    verified: the tree with {size, plural, one {# entry} other {# entries}} contains entry {entry}, and the present \
    head begins with this tree
    """
  case notProved = "regctl.audit.notProved: the proof does not show that the present head contains entry {entry}"
}

/// Help of `regctl audit`.
package enum AuditHelp: String, MessageKey {
  case abstract =
    "help.audit.abstract: Verify the audit, and print its heads and proofs; for observers and administrators"
  case head =
    "help.audit.head: Print the present head: number of entries, root of their tree, time and signature, as JSON"
  case headMore = """
    help.audit.headMore: \
    A stored head later shows whether the entries before it were changed. Store heads where the programs that can \
    change the database cannot change them, preferably on another machine.
    """
  case append = "help.audit.append: Append the head to this file, as one line"
  case verify = """
    help.audit.verify: \
    Recompute the tree from all entries, and compare it with the present head and with stored heads; exit status 1 if \
    anything differs
    """
  case verifyMore = """
    help.audit.verifyMore: \
    Names the first entry that differs. If the stored hashes were also rewritten, names the entries between the last \
    head that fits and the first head that does not. Exit status 5 means that the audit could not be verified. For \
    observers, addresses and origins are not checked, because regd does not return them.
    """
  case heads = "help.audit.heads: File of stored heads (default: compare with the present head only)"
  case prove = "help.audit.prove: Print a proof that the tree contains an entry, as JSON, and check the proof"
  case proveMore = """
    help.audit.proveMore: \
    The proof is that of RFC 9162, section 2.1.3. Its leaf contains neither address nor origin. Exit status 1 if the \
    proof does not lead to the present head.
    """
  case entry = "help.audit.entry: Number of the entry"
  case size = "help.audit.size: Number of entries of the tree (default: all entries)"
}
