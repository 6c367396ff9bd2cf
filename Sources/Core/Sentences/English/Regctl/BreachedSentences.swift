/// The output of `regctl breached`.
package enum BreachedSentence: String, SentenceKey {
  package static let area = "regctl.breached"

  case passedOver = "passed over {problem}"
  case passedOverMore = "passed over {count} more"
  case tooManyEntries =
    "warning: there are {entries} entries, more than the {planned} planned for, so the false-positive rate is worse than was asked for; --entries {entries} makes it right"
  case built = "{list}: {entries} entries, {bytes} bytes"
  case leftOut = "left out: {count} below the least count"
  case falsePositives = "false positives: {rate}"
  case isThere = "the list has this password, or takes it for one that it has, which happens to {rate}"
  case isNotThere = "The list does not have this password."
  case damaged = "{list} is damaged: its bits do not give the rate that its header states; build it again"
  case verified = "verified: its bits give the rate that its header states"
  case entries = "entries: {count}"
  case bytes = "bytes: {count}"
  case builtAt = "built: {time}"
  case oneIn = "one other password in {count} ({rate})"
  case lessThanOne = "less than one other password in 10^15"
}
