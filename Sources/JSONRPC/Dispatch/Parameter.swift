/// A member of a method's params: what it is called, what it may be. `rpc.discover` and the check read the same value.
package struct Parameter: Sendable {
  package enum Kind: String, Sendable {
    case string, integer, boolean, object, array
  }

  package let name: StaticString
  package let kind: Kind
  /// Whether a call without it is refused (-32602). A null member counts as absent.
  package let isRequired: Bool
  package let summary: StaticString

  package init(_ name: StaticString, _ kind: Kind, required: Bool, _ summary: StaticString) {
    self.name = name
    self.kind = kind
    isRequired = required
    self.summary = summary
  }

  func accepts(_ view: JSONView) -> Bool {
    switch (kind, view.kind) {
    case (.string, .string), (.boolean, .true), (.boolean, .false), (.object, .object), (.array, .array): true
    case (.integer, .number): view.integer != nil
    default: false
    }
  }
}

/// A call's params, checked against the method's parameters. Valid only while the call is being read.
package struct Parameters {
  private let names: [Parameter]
  private var values: InlineArray<8, JSONView?> = InlineArray(repeating: nil)

  /// How many parameters a method can have.
  static let capacity = 8

  /// By name or by position (JSON-RPC 2.0 §4.2).
  static func read(_ params: JSONView?, as names: [Parameter]) -> Result<Parameters, RPCError> {
    var read = Parameters(names: names)
    if let params, let error = params.kind == .object ? read.byName(params) : read.byPosition(params) {
      return .failure(error)
    }
    for (index, parameter) in names.enumerated() where parameter.isRequired && read.values[index] == nil {
      return .failure(.invalidParams("\"\(parameter.name)\" is missing.", field: "\(parameter.name)"))
    }
    return .success(read)
  }

  private init(names: [Parameter]) { self.names = names }

  private mutating func byName(_ params: JSONView) -> RPCError? {
    var error: RPCError?
    var read = self
    params.forEachMember { name, value in
      guard error == nil else { return }
      if let index = names.firstIndex(where: { name.isString($0.name) }) {
        error = read.set(index, value)
      } else {
        let name = name.excerpt
        error = .invalidParams(
          "\"\(name)\" is not a parameter here; \(Self.list(names)).", field: name)
      }
    }
    self = read
    return error
  }

  private mutating func byPosition(_ params: JSONView) -> RPCError? {
    var error: RPCError?
    var index = 0
    var read = self
    params.forEachElement { value in
      if error == nil {
        error =
          index < names.count
          ? read.set(index, value) : .invalidParams("There are too many parameters; \(Self.list(names)).")
      }
      index += 1
    }
    self = read
    return error
  }

  private mutating func set(_ index: Int, _ value: JSONView) -> RPCError? {
    if value.isNull { return nil }
    let parameter = names[index]
    guard parameter.accepts(value) else {
      return .invalidParams(
        "\"\(parameter.name)\" must be \(Self.article(parameter.kind)).", field: "\(parameter.name)")
    }
    values[index] = value
    return nil
  }

  private static func article(_ kind: Parameter.Kind) -> String {
    switch kind {
    case .string, .boolean: "a \(kind.rawValue)"
    case .integer, .object, .array: "an \(kind.rawValue)"
    }
  }

  private static func list(_ names: [Parameter]) -> String {
    names.isEmpty ? "this method takes none" : "it takes " + names.map { "\"\($0.name)\"" }.joined(separator: ", ")
  }

  /// The value of the parameter at `index` of the method's list, or nil where it is absent or null.
  package subscript(index: Int) -> JSONView? { values[index] }
}
