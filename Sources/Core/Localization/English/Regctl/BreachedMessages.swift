/// The output of `regctl breached`.
package enum BreachedMessageKey: String, MessageKey {
  case passedOver = "regctl.breached.passedOver: skipped {problem}"
  case passedOverMore = "regctl.breached.passedOverMore: skipped {count} more"
  case tooManyEntries = """
    regctl.breached.tooManyEntries: \
    warning: there are {entries} entries, more than the {planned} planned for, so the false-positive rate is higher \
    than requested; to fix this, build the list with --entries {entries}
    """
  case built = "regctl.breached.built: {list}: {entries} entries, {bytes} bytes"
  case leftOut = "regctl.breached.leftOut: hashes left out because their count is too low: {count}"
  case falsePositives = "regctl.breached.falsePositives: false positives: {rate}"
  case isThere = """
    regctl.breached.isThere: \
    the list contains this password, unless this is a false positive; false positives affect {rate}
    """
  case isNotThere = "regctl.breached.isNotThere: the list does not contain this password"
  case damaged = """
    regctl.breached.damaged: \
    {list} is damaged: its contents do not match the false-positive rate in its header; build it again with `regctl \
    breached build`
    """
  case verified = "regctl.breached.verified: verified: the contents match the false-positive rate in the header"
  case entries = "regctl.breached.entries: entries: {count}"
  case bytes = "regctl.breached.bytes: bytes: {count}"
  case builtAt = "regctl.breached.builtAt: built: {time}"
  case oneIn = "regctl.breached.oneIn: one in {count} passwords that are not in the list ({rate})"
  case lessThanOne = "regctl.breached.lessThanOne: fewer than one in 10^15 passwords that are not in the list"
}
