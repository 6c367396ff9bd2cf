/// The messages of `regctl import --from`, apart from problems of files and records.
package enum ForeignSentence: String, SentenceKey {
  case fromLine =
    "regctl.foreign.fromLine: --from-line is not for --from: there, the same command continues where it stopped"
  case oneFile = "regctl.foreign.oneFile: without --from, one file is imported at a time"
  case needsFrom =
    "regctl.foreign.needsFrom: --dry-run, --report, --unproven, --no-password, --domain, --namespace and --firebase-… need --from, the system that has written the file"
  case domainIsForPasswd =
    "regctl.foreign.domainIsForPasswd: --domain is for --from passwd: other systems have addresses"
  case parametersAreForFirebase = "regctl.foreign.parametersAreForFirebase: --firebase-… is for --from firebase"
  case firebaseNeedsParameters =
    "regctl.foreign.firebaseNeedsParameters: --from firebase needs --firebase-rounds, --firebase-mem-cost and --firebase-salt-separator: the console shows them at Authentication, Users, the three dots, Password hash parameters"
  case namespaceIsNoUUID =
    "regctl.foreign.namespaceIsNoUUID: --namespace must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab"
  /// A problem of a file, and its consequence.
  case fileNothingImported = "regctl.foreign.fileNothingImported: {fault}; nothing was imported"
  case fileStopped = "regctl.foreign.fileStopped: {fault}; what stood before that was imported"
  case notTwice = "regctl.foreign.notTwice: {file} must be a file: it is read twice"
  case changed = "regctl.foreign.changed: {file} was changed while it was read; import it again"
  case stopped =
    "regctl.foreign.stopped: imported {count}, and then stopped; the same command goes on: what is there already counts as imported"
  case wouldImport =
    "regctl.foreign.wouldImport: would import {count}, refuse {refused}; nothing was changed, and no regd was asked"
  case passedOver = "regctl.foreign.passedOver: passed over {count} that are no accounts"
  case record = "regctl.foreign.record: {place}: {message} ({reason})"
  case recordOf = "regctl.foreign.recordOf: {place}: {name}: {message} ({reason})"
}
