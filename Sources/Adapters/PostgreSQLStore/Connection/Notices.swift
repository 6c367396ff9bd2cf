internal import CPostgreSQL

/// Collects the server's warnings.
final class Notices {
  private var warnings: [String] = []

  init(of handle: OpaquePointer) {
    // the unretained pointer remains valid, because the connection keeps this object as long as the handle
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context else { return }
        let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
        guard Answer.field(result, pq_severity) == "WARNING" else { return }
        notices.warnings.append(Answer.field(result, pq_message))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func take() -> [String] {
    defer { warnings = [] }
    return warnings
  }
}
