import TestDoubles
import TestKit
import Testing

/// Failures of a whole server. Each test has a separate server, and the tests run one after another.
@Suite(
  "PostgreSQL servers in trouble", .serialized, .leavesNothing,
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"),
  .timeLimit(.minutes(10)))
struct Faults {}
