internal import JSONRPC
internal import Registration

extension StatusMethod {
  static let failingTasks = Schema.Member(
    "failingTasks",
    .array(
      .object(
        [
          .init("name", .string("The task: sweep, admissionCount, outbox or mail.")),
          .init("since", .time("When the first run after the last success failed.")),
          .init("failures", .integer("Runs that have failed since the last success.")),
          .init("reason", .string("Why the last run failed.")),
        ], ""), "Background tasks whose last run failed; absent if none."),
    required: false)

  static func write(_ tasks: [BackgroundHealth.Failing], _ writer: inout JSONWriter) {
    guard !tasks.isEmpty else { return }
    writer.array("failingTasks") { writer in
      for failing in tasks {
        writer.object { writer in
          writer.member("name", failing.task.rawValue)
          writer.member("since", failing.since.rfc3339)
          writer.member("failures", failing.failures)
          writer.member("reason", failing.reason)
        }
      }
    }
  }
}
