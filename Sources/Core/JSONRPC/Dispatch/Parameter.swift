internal import Localization

/// A parameter of a method, with its name and type. Both `rpc.discover` and the check of params read this value.
package struct Parameter: Sendable {
  package enum Kind: String, Sendable {
    case string, integer, boolean, object, array
    /// The type of a request's id: a string or a number.
    case id
    /// A string, or null where null has a meaning of its own.
    case nullableString
  }

  /// For the document: which values of a parameter's kind make sense. Only the method checks a value. Like every part
  /// of a `Parameter`, a form needs no reference counting.
  package enum Form: Sendable {
    case any
    case uuid
    /// One of these words, which spaces separate.
    case oneOf(StaticString)
    /// An integer between these two bounds. There is no upper bound if the second is nil.
    case between(Int, Int?)
    /// A text whose length in characters is between these two bounds.
    case length(Int, Int)
    /// An array whose elements have the schema of the document's component with this name.
    case elements(StaticString)
    /// An array of strings.
    case strings
  }

  package let name: StaticString
  package let kind: Kind
  package let form: Form
  /// Whether a call without this parameter is refused (-32602). A null member counts as absent, except for `nullableString`.
  package let isRequired: Bool
  package let summary: StaticString
  /// The memory address of the name's static text. It identifies the declaration, and is quicker to compare than the text.
  fileprivate let address: UInt

  package init(
    _ name: StaticString, _ kind: Kind, required: Bool, _ summary: StaticString, _ form: Form = .any
  ) {
    self.name = name
    self.kind = kind
    self.form = form
    isRequired = required
    self.summary = summary
    address = UInt(bitPattern: name.utf8Start)
  }

  @inline(__always)
  func accepts(_ view: JSONView) -> Bool {
    switch (kind, view.kind) {
    case (.string, .string), (.boolean, .true), (.boolean, .false), (.object, .object), (.array, .array): true
    case (.id, .string), (.id, .number): true
    case (.integer, .number): view.integer != nil
    case (.nullableString, .string), (.nullableString, .null): true
    default: false
    }
  }

  /// The parameter for the language in which a person reads the outcome of a call.
  package static let language = Parameter(
    "language", .string, required: false,
    "The language of messages: a BCP 47 tag, or a list as in Accept-Language; up to 255 bytes.")

  /// Whether both values come from the same declaration: the addresses of their names are equal.
  package func isSame(as other: Parameter) -> Bool { address == other.address }

  @inline(__always)
  fileprivate func hasName(of other: Parameter) -> Bool {
    let count = name.utf8CodeUnitCount
    return count == other.name.utf8CodeUnitCount && JSONBytes.areSame(name.utf8Start, other.name.utf8Start, count)
  }

  /// The message about the type that the value must have.
  fileprivate var demand: ParameterMessageKey {
    switch kind {
    case .string, .nullableString: .string
    case .boolean: .boolean
    case .integer: .integer
    case .object: .object
    case .array: .array
    case .id: .id
    }
  }

  /// Writes the parameter's JSON Schema. The value of a parameter that is not required may be null.
  func writeSchema(to writer: inout JSONWriter) {
    let types = kind.types + (isRequired || kind == .nullableString ? [] : ["null"])
    writer.object { writer in
      writer.name("type")
      if types.count == 1 {
        writer.value(types[0])
      } else {
        writer.array { writer in for type in types { writer.value(type) } }
      }
      writeForm(to: &writer)
    }
  }
}

extension Parameter.Kind {
  /// The types of JSON Schema.
  package var types: [String] {
    switch self {
    case .id: ["string", "number"]
    case .nullableString: ["string", "null"]
    case .string, .integer, .boolean, .object, .array: [rawValue]
    }
  }
}

extension Parameter {
  fileprivate func writeForm(to writer: inout JSONWriter) {
    switch form {
    case .any: break
    case .uuid: writer.member("format", Schema.Format.uuid.rawValue)
    case .oneOf(let words):
      writer.array("enum") { writer in
        for word in Self.words(words) { writer.value(word) }
        if !isRequired { writer.null() }
      }
    case .between(let minimum, let maximum):
      writer.member("minimum", minimum)
      if let maximum { writer.member("maximum", maximum) }
    case .length(let minimum, let maximum):
      writer.member("minLength", minimum)
      writer.member("maxLength", maximum)
    case .elements(let name):
      writer.name("items")
      Schema.write(referenceTo: "\(name)", to: &writer)
    case .strings:
      writer.name("items")
      Schema.string("").write(to: &writer)
    }
  }

  package static func words(_ words: StaticString) -> [String] { "\(words)".split(separator: " ").map(String.init) }
}

/// A call's params, checked against the method's parameters. Valid only while the call is being read.
package struct Parameters {
  private let list: UnsafeBufferPointer<Parameter>
  private let params: JSONView?
  /// The tape indexes of the values, in the method's order, or -1 for a value that is absent or null.
  private var places = InlineArray<10, Int32>(repeating: -1)

  /// Whether a worker thread reads the params. On a worker thread, no value counts as costly.
  var areOffloaded = false

  /// The most parameters that a method can have.
  static let capacity = 10

  /// Accepts params by name or by position (JSON-RPC 2.0 §4.2).
  ///
  /// - Throws: `rpc.invalidParams` if a member is unknown, has another type, or is missing though required.
  init(_ params: JSONView?, of method: borrowing Method) throws(RPCError) {
    list = method.parameterList
    self.params = params
    let names = list
    if let params {
      if params.kind == .object { try byName(params, names) } else { try byPosition(params, names) }
    }
    for index in names.indices where places[index] < 0 && names[index].isRequired {
      let name = "\(names[index].name)"
      throw .invalidParams(LocalizedMessage(ParameterMessageKey.missing, ["name": .text(name)]), field: name)
    }
  }

  private mutating func byName(_ params: JSONView, _ names: UnsafeBufferPointer<Parameter>) throws(RPCError) {
    var wrong = -1
    var unknown: JSONView?
    var places = places
    // most callers write the members in the documented order
    var expected = 0
    params.forEachMember { name, value in
      guard wrong < 0, unknown == nil else { return }
      if expected >= names.count || !name.isString(names[expected].name) {
        guard let index = names.firstIndex(where: { name.isString($0.name) }) else {
          unknown = name
          return
        }
        expected = index
      }
      if !Self.set(expected, value, names, &places) { wrong = expected }
      expected += 1
    }
    self.places = places
    if wrong >= 0 { throw Self.wrongType(names[wrong]) }
    if let name = unknown?.excerpt {
      throw .invalidParams(
        names.isEmpty
          ? LocalizedMessage(ParameterMessageKey.unknownOfNone, ["name": .text(name)])
          : LocalizedMessage(
            ParameterMessageKey.unknown, ["name": .text(name), "parameters": .text(Self.list(names))]),
        field: name)
    }
  }

  private mutating func byPosition(_ params: JSONView, _ names: UnsafeBufferPointer<Parameter>) throws(RPCError) {
    var wrong = -1
    var places = places
    var index = 0
    params.forEachElement { value in
      if wrong < 0, index < names.count, !Self.set(index, value, names, &places) { wrong = index }
      index += 1
    }
    self.places = places
    if wrong >= 0 { throw Self.wrongType(names[wrong]) }
    if index > names.count { throw Self.tooMany(names) }
  }

  @inline(__always)
  private static func set(
    _ index: Int, _ value: JSONView, _ names: UnsafeBufferPointer<Parameter>, _ places: inout InlineArray<10, Int32>
  ) -> Bool {
    if value.isNull, names[index].kind != .nullableString { return true }
    guard names[index].accepts(value) else { return false }
    places[index] = Int32(truncatingIfNeeded: value.index)
    return true
  }

  private static func wrongType(_ parameter: Parameter) -> RPCError {
    let name = "\(parameter.name)"
    return .invalidParams(LocalizedMessage(parameter.demand, ["name": .text(name)]), field: name)
  }

  private static func list(_ names: UnsafeBufferPointer<Parameter>) -> String {
    names.map { "\"\($0.name)\"" }.joined(separator: ", ")
  }

  private static func tooMany(_ names: UnsafeBufferPointer<Parameter>) -> RPCError {
    .invalidParams(
      names.isEmpty
        ? LocalizedMessage(ParameterMessageKey.tooManyOfNone)
        : LocalizedMessage(ParameterMessageKey.tooMany, ["parameters": .text(Self.list(names))]))
  }

  /// The value of one of the method's parameters, or nil if the value is absent or null.
  package subscript(parameter: Parameter) -> JSONView? {
    let address = parameter.address
    for index in 0..<list.count where list[index].address == address { return value(index) }
    return value(named: parameter)
  }

  @inline(never)
  private func value(named parameter: Parameter) -> JSONView? {
    for index in list.indices where list[index].hasName(of: parameter) { return value(index) }
    assertionFailure("the method has no parameter \(parameter.name)")
    return nil
  }

  @inline(__always)
  private func value(_ index: Int) -> JSONView? {
    places[index] < 0 ? nil : params?.at(Int(places[index]))
  }

  /// The greatest total `weight` of a call's params that an event loop still reads. Reading them takes 50 µs at worst.
  package static let lightWeight = 64

  /// Whether reading the texts of the params would hold up the event loop.
  package var isCostly: Bool { isCostly(besides: 0) }

  /// - Parameter more: The weight of other texts that the method reads for this call.
  package func isCostly(besides more: Int) -> Bool {
    guard !areOffloaded else { return false }
    var weight = more
    for index in 0..<Self.capacity where places[index] >= 0 { weight &+= value(index)?.weight ?? 0 }
    return weight > Self.lightWeight
  }
}

extension JSONView {
  /// An upper bound for the work of reading and normalising the value, computed without doing either. A value weighs 1
  /// for each 32 bytes, and a string also 1 for each non-ASCII byte, because normalising can turn such a byte into
  /// eleven.
  package var weight: Int {
    switch kind {
    case .number, .true, .false, .null: return 0
    case .object, .array: return source.count / 32
    case .string:
      let source = source
      var weight = source.count / 32
      for byte in source { weight &+= Int(byte &>> 7) }
      guard node.escaped else { return weight }
      // an escape may represent a character of three bytes
      for byte in source where byte == UInt8(ascii: "\\") { weight &+= 3 }
      return weight
    }
  }
}
