internal import Doors

/// A decoded request, without pointers into the message's memory.
struct LDAPRequest {
  enum Operation {
    /// - Parameter login: Nil for any method but the simple one.
    case bind(version: Int32, login: Login?)
    case unbind
    case search(LDAPSearch)
    case abandon
    case extended(name: String, hasValue: Bool)
    case compare(LDAPComparison)
    /// A request to change entries, which regd refuses.
    ///
    /// - Parameter response: The tag of the response to it.
    case change(response: UInt)
    /// A well-formed request that regd answers with this error.
    case refused(response: UInt, LDAPResult)
  }

  let id: Int32
  let operation: Operation
  /// Whether the request has a critical control. regd knows no control.
  let isControlled: Bool
}

extension LDAPRequest {
  /// Decodes a whole message.
  ///
  /// - Parameter directory: Finds the login in a bind's name, and what the names in a filter mean.
  /// - Throws: `Malformed` if it is not an LDAP request.
  init(_ message: UnsafeRawBufferPointer, _ directory: Directory) throws(Malformed) {
    self = try BER.message(message) { (elements: inout BERElements) throws(Malformed) in
      let id = try elements.take(Tag.integer).number()
      guard id > 0 else { throw Malformed() }
      let operation = try Self.operation(elements.take(), directory)
      let isControlled = elements.isAtEnd ? false : try Self.hasCriticalControl(elements.take(Tag.controls))
      return LDAPRequest(id: id, operation: operation, isControlled: isControlled)
    }
  }

  private static func operation(_ element: BERElement, _ directory: Directory) throws(Malformed) -> Operation {
    switch element.tag {
    case Tag.bindRequest: return try bind(element, directory)
    case Tag.unbindRequest: return .unbind
    case Tag.abandonRequest: return .abandon
    case Tag.searchRequest: return try search(element, directory)
    case Tag.extendedRequest: return try extended(element)
    case Tag.compareRequest: return try comparison(element, directory)
    default:
      guard let response = Tag.changes[element.tag] else { throw Malformed() }
      return .change(response: response)
    }
  }

  private static func bind(_ element: BERElement, _ directory: Directory) throws(Malformed) -> Operation {
    var elements = try element.elements()
    let version = try elements.take(Tag.integer).number()
    let name = try elements.take(Tag.octetString).bytes
    let credentials = try elements.take()
    guard credentials.tag == Tag.simple else { return .bind(version: version, login: nil) }
    let (address, origin) = directory.login(name)
    return .bind(version: version, login: Login(name: address, password: credentials.bytes, origin: origin))
  }

  private static func extended(_ element: BERElement) throws(Malformed) -> Operation {
    var elements = try element.elements()
    let name = String(decoding: try elements.take(Tag.extendedRequestName).contents, as: UTF8.self)
    let hasValue = !elements.isAtEnd
    if hasValue { _ = try elements.take(Tag.extendedRequestValue) }
    return .extended(name: name, hasValue: hasValue)
  }

  private static func comparison(_ element: BERElement, _ directory: Directory) throws(Malformed) -> Operation {
    var elements = try element.elements()
    let entry = DistinguishedName(try elements.take(Tag.octetString).contents)
    var assertion = try elements.take(Tag.sequence).elements()
    let type = AttributeType(try assertion.take(Tag.octetString).contents)
    let value = String(decoding: try assertion.take(Tag.octetString).contents, as: UTF8.self)
    guard let entry else { return .refused(response: Tag.compareResponse, .invalidName) }
    let filter = type.map { directory.resolved(.equal($0, value)) } ?? .undefined
    return .compare(LDAPComparison(entry: entry, type: type, filter: filter))
  }

  private static func search(_ element: BERElement, _ directory: Directory) throws(Malformed) -> Operation {
    func refused(_ result: LDAPResult) -> Operation { .refused(response: Tag.searchResultDone, result) }
    var elements = try element.elements()
    let base = DistinguishedName(try elements.take(Tag.octetString).contents)
    let scope = LDAPSearch.Scope(rawValue: try elements.take(Tag.enumerated).number())
    _ = try elements.take(Tag.enumerated)  // aliases
    let mostEntries = try elements.take(Tag.integer).number()
    _ = try elements.take(Tag.integer).number()  // seconds at most
    let isTypesOnly = try elements.take(Tag.boolean).flag()
    var room = Filter.mostParts
    let filter = try Filter(elements.take(), &room)
    var selection = Selection(isTypesOnly: isTypesOnly)
    var attributes = try elements.take(Tag.sequence).elements()
    while !attributes.isAtEnd {
      guard selection.count < Filter.mostParts else { return refused(.unwilling("too many attributes")) }
      selection.add(try attributes.take(Tag.octetString).contents)
    }
    guard let base else { return refused(.invalidName) }
    guard let scope else { return refused(.protocolError("unknown scope")) }
    guard let filter else { return refused(.unwilling("the filter has too many parts")) }
    return .search(
      LDAPSearch(
        base: base, scope: scope, filter: directory.resolved(filter), mostEntries: Int(max(0, mostEntries)),
        selection: selection))
  }

  private static func hasCriticalControl(_ element: BERElement) throws(Malformed) -> Bool {
    var controls = try element.elements()
    var isCritical = false
    while !controls.isAtEnd {
      var control = try controls.take(Tag.sequence).elements()
      _ = try control.take(Tag.octetString)
      while !control.isAtEnd {
        let part = try control.take()
        if part.tag == Tag.boolean, try part.flag() { isCritical = true }
      }
    }
    return isCritical
  }
}

/// A question whether an entry has a value (RFC 4511 §4.10).
struct LDAPComparison: Sendable {
  let entry: DistinguishedName
  /// Nil for an attribute that no entry of the directory has.
  let type: AttributeType?
  /// The equality with the value, as `Directory.resolved` makes it.
  let filter: Filter
}

/// A search. Leaves out the request's time limit and its rule for aliases, because answers have a time limit anyway, and regd has
/// no aliases.
struct LDAPSearch: Sendable {
  enum Scope: Int32, Sendable {
    case base = 0
    case one = 1
    case subtree = 2
    /// All entries below the base, without the base itself (draft-sermersheim-ldap-subordinate-scope, which OpenLDAP supports).
    case below = 3
  }

  let base: DistinguishedName
  let scope: Scope
  /// As `Directory.resolved` makes it.
  let filter: Filter
  /// The most entries that the client takes, or 0 for any number.
  let mostEntries: Int
  let selection: Selection
}
