/// The messages of `regctl import --from`, apart from problems of files and records.
package enum ForeignMessageKey: String, MessageKey {
  case fromLine =
    "regctl.foreign.fromLine: --from-line cannot be combined with --from; to continue, run the same command again"
  case oneFile = "regctl.foreign.oneFile: without --from, give only one file"
  case needsFrom = """
    regctl.foreign.needsFrom: \
    --dry-run, --report, --unproven, --no-password, --domain, --namespace and --firebase-… need --from, which names \
    the system that wrote the file
    """
  case domainIsForPasswd = """
    regctl.foreign.domainIsForPasswd: \
    --domain is only for --from passwd; the exports of other systems contain addresses
    """
  case parametersAreForFirebase =
    "regctl.foreign.parametersAreForFirebase: the --firebase-… options are only for --from firebase"
  case firebaseNeedsParameters = """
    regctl.foreign.firebaseNeedsParameters: \
    --from firebase needs --firebase-rounds, --firebase-mem-cost and --firebase-salt-separator; the Firebase console \
    shows these values under Authentication > Users > (three dots) > Password hash parameters
    """
  case namespaceIsNoUUID =
    "regctl.foreign.namespaceIsNoUUID: --namespace must be a UUID, for example 0192d3a4-7c1e-7b32-9f00-0123456789ab"
  /// A problem of a file, and its consequence.
  case fileNothingImported = "regctl.foreign.fileNothingImported: {fault}; nothing was imported"
  case fileStopped = "regctl.foreign.fileStopped: {fault}; everything before this error was imported"
  case notTwice = "regctl.foreign.notTwice: {file} must be a regular file, because it is read twice"
  case changed = "regctl.foreign.changed: {file} changed while it was being read; import it again"
  case stopped = """
    regctl.foreign.stopped: \
    imported {count}, then stopped; to continue, run the same command again (existing accounts count as imported)
    """
  case wouldImport = """
    regctl.foreign.wouldImport: \
    would import {count} and refuse {refused}; nothing was changed, and regd was not contacted
    """
  case passedOver = """
    regctl.foreign.passedOver: \
    skipped {count, plural, one {# record that is not an account} other {# records that are not accounts}}
    """
  case record = "regctl.foreign.record: {place}: {message} ({reason})"
  case recordOf = "regctl.foreign.recordOf: {place}: {name}: {message} ({reason})"
}
