/// One method: its name, its parameters and what it does. Everything known about a method is in this one value.
package struct Method: Sendable {
  /// What remains to be done once the params are read; it owns all it needs.
  package typealias Work = @Sendable () async -> Reply

  package enum Behaviour: Sendable {
    /// Answered at once, where the bytes were read: no I/O, no waiting.
    case immediate(@Sendable (Parameters, Caller) -> Reply)
    /// Reads its params at once and answers later.
    case suspending(@Sendable (Parameters, Caller) -> Work)
  }

  package let name: StaticString
  package let summary: StaticString
  package let parameters: [Parameter]
  package let behaviour: Behaviour

  /// - Parameter parameters: At most 8, in the order in which they may be given by position.
  package init(_ name: StaticString, _ summary: StaticString, parameters: [Parameter] = [], _ behaviour: Behaviour) {
    precondition(parameters.count <= Parameters.capacity, "a method has too many parameters")
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.behaviour = behaviour
  }
}

/// All methods by name.
package struct MethodTable: Sendable {
  /// In the order in which they were given.
  package let methods: [Method]
  /// By the bytes of their names: a String's hash depends on its normal form, which a caller can make costly.
  private let indices: [[UInt8]: Int]
  private let longestName: Int

  /// - Parameter methods: No two with the same name.
  package init(_ methods: [Method]) {
    self.methods = methods
    indices = Dictionary(uniqueKeysWithValues: methods.enumerated().map { (Array("\($1.name)".utf8), $0) })
    longestName = indices.keys.map(\.count).max() ?? 0
  }

  func find(_ name: JSONView) -> Method? {
    // six bytes of an escape are the longest way to write one of a name
    guard name.source.count <= longestName * 6 + 2, let bytes = name.utf8 else { return nil }
    return indices[bytes].map { methods[$0] }
  }
}
