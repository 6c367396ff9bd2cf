/// The output of `regctl breached`.
package enum BreachedSentence: String, SentenceKey {
  case passedOver = "regctl.breached.passedOver: passed over {problem}"
  case passedOverMore = "regctl.breached.passedOverMore: passed over {count} more"
  case tooManyEntries =
    "regctl.breached.tooManyEntries: warning: there are {entries} entries, more than the {planned} planned for, so the false-positive rate is worse than was asked for; --entries {entries} makes it right"
  case built = "regctl.breached.built: {list}: {entries} entries, {bytes} bytes"
  case leftOut = "regctl.breached.leftOut: left out: {count} below the least count"
  case falsePositives = "regctl.breached.falsePositives: false positives: {rate}"
  case isThere =
    "regctl.breached.isThere: the list has this password, or takes it for one that it has, which happens to {rate}"
  case isNotThere = "regctl.breached.isNotThere: The list does not have this password."
  case damaged =
    "regctl.breached.damaged: {list} is damaged: its bits do not give the rate that its header states; build it again"
  case verified = "regctl.breached.verified: verified: its bits give the rate that its header states"
  case entries = "regctl.breached.entries: entries: {count}"
  case bytes = "regctl.breached.bytes: bytes: {count}"
  case builtAt = "regctl.breached.builtAt: built: {time}"
  case oneIn = "regctl.breached.oneIn: one other password in {count} ({rate})"
  case lessThanOne = "regctl.breached.lessThanOne: less than one other password in 10^15"
}
