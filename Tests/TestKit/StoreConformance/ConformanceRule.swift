internal import Testing

/// A promise of a port (a protocol with several backends): a sentence and a check. Every backend must keep all
/// promises.
package struct ConformanceRule<Subject: Sendable>: Sendable, CustomTestStringConvertible {
  package let sentence: String
  /// Gets a fresh subject, and throws `Broken` if the promise is not kept.
  package let check: @Sendable (Subject) async throws -> Void

  package init(_ sentence: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
    self.sentence = sentence
    self.check = check
  }

  package var testDescription: String { sentence }
}

/// A promise that was not kept.
package struct Broken: Error, CustomStringConvertible {
  package let description: String
  package init(description: String) { self.description = description }
}

/// Fails unless both are the same.
package func same<Value: Equatable>(_ seen: Value, _ expected: Value, _ what: String) throws {
  guard seen == expected else { throw Broken(description: "\(what): expected \(expected), saw \(seen)") }
}
