/// One method: its name, its parameters and what it does. Everything known about a method is in this one value.
///
/// A class, because a struct of this size costs more to pick out of the table than the request to read.
package final class Method: Sendable {
  /// What remains to be done once the params are read; it owns all it needs.
  package typealias Work = @Sendable (Cancellation) async -> Reply

  package enum Behaviour: Sendable {
    /// Answered at once, where the bytes were read: no I/O, no waiting. Writes one value, the result, or returns an
    /// error; what it wrote before that is forgotten. Where its texts are costly (`Parameters.isCostly`) it does nothing
    /// and says so: it is then called once more, on a thread where others do not wait for it.
    case immediate(@Sendable (borrowing Parameters, Session, inout JSONWriter) -> Refusal?)
    /// Reads its params at once, or on another thread where they are costly, and answers later.
    case suspending(@Sendable (borrowing Parameters, Session) -> Work)
    /// Cancels the request of the same connection whose id is the first parameter.
    case cancelling
    /// Answers with the document of all methods.
    case discovering
  }

  /// Why there is no result; an error in a box of its own, so that there being none costs nothing.
  package indirect enum Refusal {
    case error(RPCError)
    /// Nothing was done yet, for it would take others' time.
    case costly
  }

  package let name: StaticString
  package let summary: StaticString
  package let parameters: [Parameter]
  package let result: Schema
  /// The reasons of its own that it may be refused for, besides those that every request may be.
  package let errors: [ErrorReason]
  package let access: Access
  package let behaviour: Behaviour

  var isCancelling: Bool { if case .cancelling = behaviour { true } else { false } }

  /// - Parameter parameters: At most 8, in the order in which they may be given by position.
  package init(
    _ name: StaticString, _ summary: StaticString, access: Access = .open, parameters: [Parameter] = [],
    result: Schema = .object([], ""), errors: [ErrorReason] = [], _ behaviour: Behaviour
  ) {
    precondition(parameters.count <= Parameters.capacity, "a method has too many parameters")
    self.name = name
    self.summary = summary
    self.access = access
    self.parameters = parameters
    self.result = result
    self.errors = errors
    self.behaviour = behaviour
  }
}

/// All methods by name.
package struct MethodTable: Sendable {
  /// In the order in which they were given.
  package let methods: [Method]
  /// The places of the methods by the lengths of their names. Bytes are compared, for a String's hash depends on its
  /// normal form, which a caller can make costly; and few names share a length.
  private let byLength: [[Int]]

  /// - Parameter methods: No two with the same name.
  package init(_ methods: [Method]) {
    precondition(Set(methods.map { "\($0.name)" }).count == methods.count, "two methods have one name")
    self.methods = methods
    var byLength = [[Int]](repeating: [], count: (methods.map(\.name.utf8CodeUnitCount).max() ?? 0) + 1)
    for (index, method) in methods.enumerated() { byLength[method.name.utf8CodeUnitCount].append(index) }
    self.byLength = byLength
  }

  /// The place of the method with this name.
  @inline(__always)
  func find(_ name: JSONView) -> Int? {
    guard let plain = name.plainUTF8 else { return findEscaped(name) }
    guard plain.count < byLength.count else { return nil }
    for index in byLength[plain.count] where name.isString(methods[index].name) { return index }
    return nil
  }

  private func findEscaped(_ name: JSONView) -> Int? {
    // six bytes of an escape are the longest way to write one of a name
    guard name.source.count <= byLength.count * 6 else { return nil }
    return methods.firstIndex { name.isString($0.name) }
  }
}
