internal import Dialogues
internal import JSONRPC
internal import Registration

/// The parts of `rpc.discover` that are about no method alone, and examples.
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
    "events.happened", "Something has happened; for those who have asked for it by events.subscribe.",
    access: .observe,
    params: .named(
      "Event",
      .object(
        [
          .init("sequence", .integer("From 1 at each start of regd.")),
          .init("event", .named("EventName", .choice(EventName.all, ""))), .init("time", .time()),
          .init("entry", .integer("Its number in the audit, if it is there."), required: false),
        ] + members + [
          .init("id", .uuid("Of the mail, if it is about one."), required: false),
          .init("to", .email("The same mail's address."), required: false),
          .init("kind", MailMethods.kind, required: false),
          .init("from", .string("Of a mail that the subscriber is to send, as the next three."), required: false),
          .init("subject", .string(""), required: false), .init("body", .string(""), required: false),
          .init("language", .string(""), required: false),
          .init("message", .string("For operators, in English."), required: false),
          .init("missed", .integer("How many events this subscriber did not get."), required: false),
        ], "")))
}
