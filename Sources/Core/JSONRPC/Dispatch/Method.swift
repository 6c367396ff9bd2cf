/// One method: its name, its parameters and what it does. Everything known about a method is in this one value.
///
/// A class, because a struct of this size costs more to pick out of the table than the request to read.
package final class Method: Sendable {
  /// What remains to be done once the params are read; it owns all it needs.
  package typealias Work = @Sendable (Cancellation) async -> Reply

  package enum Behaviour: Sendable {
    /// Answered at once, on the event loop: no I/O, no waiting. Writes one value, the result, or throws; what it wrote
    /// before that is discarded.
    case immediate(@Sendable (borrowing Parameters, Session, inout JSONWriter) throws(RPCError) -> Void)
    /// The same, of params whose texts may be costly to read (`Parameters.isCostly`). If they are, it does nothing and
    /// returns `offload`, and is called again on a worker thread, where nothing is costly.
    case offloadable(@Sendable (borrowing Parameters, Session, inout JSONWriter) throws(RPCError) -> Progress)
    /// Reads its params at once, or on a worker thread if they are costly, and answers later.
    case suspending(@Sendable (borrowing Parameters, Session) throws(RPCError) -> Work)
    /// As `suspending`, of work that is short between its waits: a look-up of one thing. Unless its params are costly, it goes
    /// on the event loop, where each thread that it needs not change for saves its caller some 25 µs.
    case lookingUp(@Sendable (borrowing Parameters, Session) throws(RPCError) -> Work)
    /// Cancels the request of the same connection whose id this parameter has.
    case cancelling(id: Parameter)
    /// Answers with the document of all methods.
    case discovering
  }

  /// What an `offloadable` method has done.
  package enum Progress {
    /// The result was written.
    case answered
    /// Nothing, because it would hold up the event loop.
    case offload
  }

  package let name: StaticString
  package let summary: StaticString
  package let parameters: [Parameter]
  /// The same where no references are counted: for each value that is asked for, that would cost as much as finding it.
  nonisolated(unsafe) let parameterList: UnsafeBufferPointer<Parameter>
  package let result: Schema
  /// The reasons that it may be refused for, besides those that every request may be.
  package let errors: [ErrorReason]
  package let access: Access
  package let behaviour: Behaviour

  /// Where its parameter `language` is, if it has one.
  let languagePlace: Int?

  var isCancelling: Bool { if case .cancelling = behaviour { true } else { false } }

  /// - Parameter parameters: At most 8, in the order in which they may be given by position.
  package init(
    _ name: StaticString, _ summary: StaticString, access: Access = .open, parameters: [Parameter] = [],
    result: Schema = .object(), errors: [ErrorReason] = [], _ behaviour: Behaviour
  ) {
    precondition(parameters.count <= Parameters.capacity, "a method has too many parameters")
    self.name = name
    self.summary = summary
    self.access = access
    self.parameters = parameters
    languagePlace = parameters.firstIndex { $0.isSame(as: .language) }
    let list = UnsafeMutableBufferPointer<Parameter>.allocate(capacity: parameters.count)
    _ = list.initialize(from: parameters)
    parameterList = UnsafeBufferPointer(list)
    self.result = result
    self.errors = errors
    self.behaviour = behaviour
  }

  deinit { parameterList.deallocate() }
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
