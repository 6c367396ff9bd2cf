import TestDoubles
import TestKit
import Testing

/// What may go wrong with a server: each test has one of its own, and they are played one after another.
@Suite(
  "PostgreSQL servers in trouble", .serialized,
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"),
  .timeLimit(.minutes(10)))
struct Faults {}
