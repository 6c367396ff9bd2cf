internal import CLBER
internal import WireProtocols

/// Finds and reads LDAP messages in BER (RFC 4511 §5.1) with liblber.
enum BER {
  static var libraryFailure: String? { lber_load_failure().map { "liblber cannot be loaded: \(String(cString: $0))" } }

  /// The length of the message at the start of `bytes`, header included.
  ///
  /// - Returns: Nil until enough bytes have arrived to determine the length.
  /// - Throws: If no message begins there, or it is longer than `longest`.
  static func messageLength(_ bytes: UnsafeRawBufferPointer, longest: Int) throws(Malformed) -> Int? {
    let length = lber_sequence_length(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, longest)
    guard length >= 0 else { throw Malformed() }
    return length == 0 ? nil : length
  }

  /// Lends a whole message's elements from a copy that is wiped afterwards, because they may contain a password.
  static func message<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout BERElements) throws(Malformed) -> Result
  ) throws(Malformed) -> Result {
    var held = SecureBuffer()
    defer { held.removeAll() }
    held.append(bytes)
    withUnsafeBytes(of: UInt8(0)) { held.append($0) }
    let message = UnsafeRawBufferPointer(rebasing: held.bytes.dropLast())
    var outer = try BERElements(message)
    var elements = try outer.take(Tag.sequence).elements()
    return try body(&elements)
  }

  fileprivate static func lent(_ bytes: UnsafeRawBufferPointer) -> berval {
    berval(
      bv_len: ber_len_t(bytes.count),
      bv_val: UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)))
  }
}

/// Iterates over the elements of a constructed value with liblber. No element extends beyond the value.
///
/// liblber reads one byte beyond the last element, so one more byte must be readable there. `BER.message` appends it.
struct BERElements: ~Copyable {
  private let reader: OpaquePointer
  private let end: UnsafeRawPointer?
  private var next: UnsafeRawPointer?

  fileprivate init(_ contents: UnsafeRawBufferPointer) throws(Malformed) {
    guard let reader = ber_alloc_t(0) else { throw Malformed() }
    self.reader = reader
    next = contents.baseAddress
    end = next.map { $0 + contents.count }
    // options 0: liblber does not end texts with a NUL, and so leaves the bytes unchanged
    var bytes = BER.lent(contents)
    ber_init2(reader, &bytes, 0)
  }

  deinit { ber_free(reader, 0) }

  var isAtEnd: Bool { next == end }

  /// Takes the next element, or throws if no element is left.
  mutating func take() throws(Malformed) -> BERElement {
    var contents = berval()
    let tag = isAtEnd ? lber_failed : ber_skip_element(reader, &contents)
    guard tag != lber_failed else { throw Malformed() }
    let bytes = UnsafeRawBufferPointer(start: contents.bv_val, count: Int(contents.bv_len))
    next = contents.bv_val.map { UnsafeRawPointer($0) + bytes.count }
    return BERElement(tag: tag, contents: bytes)
  }

  /// Takes the next element, which must have this tag.
  mutating func take(_ tag: UInt) throws(Malformed) -> BERElement {
    let element = try take()
    guard element.tag == tag else { throw Malformed() }
    return element
  }
}

/// One element. Its contents point into the message's memory, and so are valid only within `BER.message`.
struct BERElement {
  let tag: UInt
  let contents: UnsafeRawBufferPointer

  var bytes: [UInt8] { Array(contents) }

  func elements() throws(Malformed) -> BERElements { try BERElements(contents) }

  func number() throws(Malformed) -> Int32 {
    var number: ber_int_t = 0
    var bytes = BER.lent(contents)
    guard !contents.isEmpty, ber_decode_int(&bytes, &number) >= 0 else { throw Malformed() }
    return number
  }

  func flag() throws(Malformed) -> Bool {
    guard contents.count == 1 else { throw Malformed() }
    return contents[0] != 0
  }
}

/// Encodes elements with liblber.
struct BERWriter: ~Copyable {
  /// liblber's writer, or nil if memory is short. `bytes` is then empty.
  private let writer: OpaquePointer?

  init() { writer = ber_alloc_t(LBER_USE_DER) }

  deinit { if let writer { ber_free(writer, 1) } }

  /// Everything that was written.
  var bytes: [UInt8] {
    var bytes = berval()
    guard let writer, ber_flatten2(writer, &bytes, 0) == 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes.bv_val, count: Int(bytes.bv_len)))
  }

  func number(_ number: Int32) {
    if let writer { ber_put_int(writer, number, Tag.integer) }
  }

  func choice(_ number: Int32) {
    if let writer { ber_put_enum(writer, number, Tag.enumerated) }
  }

  func text(_ text: String, _ tag: UInt = Tag.octetString) {
    // A String passed to C is never NULL, even if it is empty. But the base address of an empty buffer may be NULL.
    if let writer { ber_put_ostring(writer, text, ber_len_t(text.utf8.count), tag) }
  }

  func sequence(_ tag: UInt = Tag.sequence, _ body: (borrowing BERWriter) -> Void) {
    guard let writer else { return }
    ber_start_seq(writer, tag)
    body(self)
    ber_put_seq(writer)
  }

  func set(_ body: (borrowing BERWriter) -> Void) {
    guard let writer else { return }
    ber_start_set(writer, Tag.set)
    body(self)
    ber_put_set(writer)
  }
}

/// The bytes are not valid BER, or not an LDAP request.
struct Malformed: Error {}

/// The tags of LDAP's elements (RFC 4511, appendix B) as liblber returns them: the whole identifier byte.
enum Tag {
  static let boolean: UInt = 0x01
  static let integer: UInt = 0x02
  static let octetString: UInt = 0x04
  static let enumerated: UInt = 0x0A
  static let sequence: UInt = 0x30
  static let set: UInt = 0x31
  static let controls: UInt = 0xA0

  static let bindRequest: UInt = 0x60
  static let bindResponse: UInt = 0x61
  static let simple: UInt = 0x80
  static let unbindRequest: UInt = 0x42
  static let searchRequest: UInt = 0x63
  static let searchResultEntry: UInt = 0x64
  static let searchResultDone: UInt = 0x65
  static let compareRequest: UInt = 0x6E
  static let compareResponse: UInt = 0x6F
  static let abandonRequest: UInt = 0x50
  static let extendedRequest: UInt = 0x77
  static let extendedRequestName: UInt = 0x80
  static let extendedRequestValue: UInt = 0x81
  static let extendedResponse: UInt = 0x78
  static let extendedResponseName: UInt = 0x8A
  static let extendedResponseValue: UInt = 0x8B

  /// The requests that would change something, with their responses: modify, add, delete, modify DN.
  static let changes: [UInt: UInt] = [0x66: 0x67, 0x68: 0x69, 0x4A: 0x6B, 0x6C: 0x6D]
}
