internal import CLBER
internal import WireProtocols

/// The bytes are not valid BER, or not an LDAP request.
struct Malformed: Error {}

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
