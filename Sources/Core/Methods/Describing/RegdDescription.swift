internal import JSONRPC
internal import Registration
internal import WireProtocols

/// The parts of `rpc.discover` that no method's declaration has: examples, notifications, the data of errors.
enum RegdDescription {
  static var all: TableDescription {
    var description = TableDescription()
    description.examples = Examples.all
    description.notifications = [FormSchemas.changed, FormSchemas.event, EventReplies.happened]
    description.data = ErrorData.schema
    return description
  }
}

extension EventReplies {
  static let happened = TableDescription.Notification(
    "events.happened", "Reports an event to the connections that called events.subscribe.",
    access: .observe,
    params: .named(
      "Event",
      .object(
        [
          .init("sequence", .integer("Counts from 1 at each start of regd.")),
          .init("event", .named("EventName", .choice(EventName.all, ""))), .init("time", .time()),
          .init(
            "entry", .integer("The number of the entry in the audit; absent if the audit does not record the event."),
            required: false),
        ] + members + [
          .init("id", .uuid("The UUID of the mail, in events about a mail."), required: false),
          .init("to", .email("The recipient of the mail."), required: false),
          .init("kind", MailMethods.kind, required: false),
          .init("from", .string("The sender of a mail that the subscriber should send."), required: false),
          .init("fromName", .string("The name beside the sender; absent if there is none."), required: false),
          .init("subject", .string(""), required: false), .init("body", .string(""), required: false),
          .init("language", .string(""), required: false),
          .init("message", .string("A message for operators, in English."), required: false),
          .init("missed", .integer("How many events this subscriber missed."), required: false),
        ], "")))
}
