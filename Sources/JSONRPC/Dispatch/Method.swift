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
  private let indices: [String: Int]

  /// - Parameter methods: No two with the same name.
  package init(_ methods: [Method]) {
    self.methods = methods
    indices = Dictionary(uniqueKeysWithValues: methods.enumerated().map { ("\($1.name)", $0) })
  }

  func find(_ name: String) -> Method? { indices[name].map { methods[$0] } }
}
