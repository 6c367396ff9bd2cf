package import Reasons
package import WireProtocols

/// One method: its name, its parameters and its behaviour. Everything that is particular to the method is in this value.
///
/// A class, because copying a struct of this size out of the table costs more than reading the request.
package final class Method: Sendable {
  /// The work that is left once the params are read. The closure owns everything that it needs.
  package typealias Work = @Sendable (Cancellation) async -> Reply

  package enum Behaviour: Sendable {
    /// Answers at once, on the event loop, without I/O or waiting. The closure writes one value, the result, or throws, which
    /// discards everything that it wrote.
    case immediate(@Sendable (borrowing Parameters, Session, inout JSONWriter) throws(RPCError) -> Void)
    /// Like `immediate`, for params whose texts may be costly to read (`Parameters.isCostly`). If they are costly, the method
    /// does nothing and returns `offload`, and is called again on a worker thread, where nothing counts as costly.
    case offloadable(@Sendable (borrowing Parameters, Session, inout JSONWriter) throws(RPCError) -> Progress)
    /// Reads its params at once, or on a worker thread if they are costly, and answers later.
    case suspending(@Sendable (borrowing Parameters, Session) throws(RPCError) -> Work)
    /// Like `suspending`, for work that computes little between its waits, such as one look-up. Unless the params are costly,
    /// the work runs on the event loop, which saves the caller about 25 µs for each thread switch.
    case lookingUp(@Sendable (borrowing Parameters, Session) throws(RPCError) -> Work)
    /// Cancels the request of the same connection whose id is the value of this parameter.
    case cancelling(id: Parameter)
    /// Answers with the document that describes all methods.
    case discovering
  }

  /// The progress of an `offloadable` method.
  package enum Progress {
    /// The result was written.
    case answered
    /// The method did nothing, because it would have blocked the event loop.
    case offload
  }

  package let name: StaticString
  package let summary: StaticString
  package let parameters: [Parameter]
  /// The parameters once more, without reference counting, which would cost as much for each value as the look-up itself.
  nonisolated(unsafe) let parameterList: UnsafeBufferPointer<Parameter>
  package let result: Schema
  /// The reasons for which the method may refuse a call, in addition to those for which any request may be refused.
  package let errors: [ErrorReason]
  package let access: Access
  /// Whether a caller may repeat a call whose answer was lost.
  package let repetition: Repetition
  package let behaviour: Behaviour

  /// The position of the parameter `language`, or nil if the method lacks it.
  let languagePlace: Int?

  var isCancelling: Bool { if case .cancelling = behaviour { true } else { false } }

  /// - Parameter parameters: At most 8, in the order of params by position.
  package init(
    _ name: StaticString, _ summary: StaticString, access: Access = .open, parameters: [Parameter] = [],
    result: Schema = .object(), errors: [ErrorReason] = [], repetition: Repetition = .no, _ behaviour: Behaviour
  ) {
    precondition(parameters.count <= Parameters.capacity, "a method has too many parameters")
    self.name = name
    self.summary = summary
    self.access = access
    self.repetition = repetition
    self.parameters = parameters
    languagePlace = parameters.firstIndex { $0.isSame(as: .language) }
    let list = UnsafeMutableBufferPointer<Parameter>.allocate(capacity: parameters.count)
    _ = list.initialize(from: parameters)
    parameterList = UnsafeBufferPointer(list)
    self.result = result
    self.errors = errors
    self.behaviour = behaviour
  }

  /// The same method with another access class.
  func with(access: Access) -> Method {
    Method(
      name, summary, access: access, parameters: parameters, result: result, errors: errors, repetition: repetition,
      behaviour)
  }

  /// The same method with another behaviour.
  package func with(_ behaviour: Behaviour) -> Method {
    Method(
      name, summary, access: access, parameters: parameters, result: result, errors: errors, repetition: repetition,
      behaviour)
  }

  /// The name of the result's type, unless the result's schema has a name of its own.
  package var resultName: String { NamedSchemas.capitalised("\(name)") + "Result" }

  deinit { parameterList.deallocate() }

  /// The value of `language`, even if other params are invalid, or nil for a method without that parameter.
  func language(in params: JSONView?) -> String? {
    guard let place = languagePlace, let params else { return nil }
    if params.kind == .object { return params.member(Parameter.language.name)?.languageRanges }
    var index = 0
    var found: JSONView?
    params.forEachElement { value in
      if index == place { found = value }
      index += 1
    }
    return found?.languageRanges
  }
}

/// All methods by name.
package struct MethodTable: Sendable {
  /// The methods, in the order in which they were given.
  package let methods: [Method]
  package let description: TableDescription
  /// The indexes of the methods, sorted by the lengths of their names. `starts[n]` is the place where the names of
  /// length n begin. The last element of `starts` is the end. Names are compared by bytes, because the hash of a String
  /// depends on its normal form, which a caller can make costly. Few names share a length.
  private let byLength: [Int]
  private let starts: [Int]

  /// - Parameter methods: The methods. Their names must differ.
  package init(_ methods: [Method], _ description: TableDescription = TableDescription()) {
    precondition(Set(methods.map { "\($0.name)" }).count == methods.count, "two methods have one name")
    self.methods = methods
    self.description = description
    let lengths = methods.map(\.name.utf8CodeUnitCount)
    byLength = methods.indices.sorted { lengths[$0] < lengths[$1] }
    starts = (0...(lengths.max() ?? 0) + 1).map { length in lengths.count { $0 < length } }
  }

  /// The index of the method with this name.
  @inline(__always)
  func find(_ name: JSONView) -> Int? {
    guard let plain = name.plainUTF8 else { return findEscaped(name) }
    guard plain.count < starts.count - 1 else { return nil }
    for place in starts[plain.count]..<starts[plain.count + 1] {
      let index = byLength[place]
      if name.isString(methods[index].name) { return index }
    }
    return nil
  }

  private func findEscaped(_ name: JSONView) -> Int? {
    // the longest JSON spelling of one byte of a name is an escape of six bytes
    guard name.source.count <= starts.count * 6 else { return nil }
    return methods.firstIndex { name.isString($0.name) }
  }
}

/// Finds the language in which a call is answered. Called only when a message for a person has to be written, as for
/// an error.
extension JSONView {
  /// The longest list of languages that is read, in bytes. Browsers send about 100.
  private static let longestRanges = 255

  /// This string, if it can be a list of languages, or nil if it is empty, too long, or has characters that cannot occur
  /// in such a list.
  package var languageRanges: String? {
    // the longest JSON spelling of one byte is an escape of six bytes
    guard kind == .string, source.count <= 6 * Self.longestRanges + 2, let text = string,
      (1...Self.longestRanges).contains(text.utf8.count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 })
    else { return nil }
    return text
  }
}

extension Parameters {
  /// The value of `language`. The method must declare that parameter.
  package var language: String? { self[.language]?.languageRanges }
}
