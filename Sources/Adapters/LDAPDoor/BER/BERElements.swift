internal import CLBER
internal import Dialogues

/// The message is not valid.
struct Malformed: Error {}

/// The elements of a constructed value one after the other, as liblber finds them. None extends beyond the value.
///
/// liblber reads a byte beyond the last element, so the memory has one more. `BER.message` sees to that.
struct BERElements: ~Copyable {
  private let reader: OpaquePointer
  private let end: UnsafeRawPointer?
  private var next: UnsafeRawPointer?

  fileprivate init(_ contents: UnsafeRawBufferPointer) throws(Malformed) {
    guard let reader = ber_alloc_t(0) else { throw Malformed() }
    self.reader = reader
    next = contents.baseAddress
    end = next.map { $0 + contents.count }
    // with no option by which liblber would end a text with a NUL, it writes nothing
    var bytes = BER.lent(contents)
    ber_init2(reader, &bytes, 0)
  }

  deinit { ber_free(reader, 0) }

  var isAtEnd: Bool { next == end }

  /// Takes the next element; throws if there is none.
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

/// One element, whose contents are in the message's memory.
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

  /// The length of the message that begins here, with its tag and its length.
  ///
  /// - Returns: Nil until enough bytes have arrived to tell.
  static func messageLength(_ bytes: UnsafeRawBufferPointer, longest: Int) throws(Malformed) -> Int? {
    let length = lber_sequence_length(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, longest)
    guard length >= 0 else { throw Malformed() }
    return length == 0 ? nil : length
  }

  /// Lends a whole message's elements, which may contain a password, from memory that is wiped afterwards.
  static func message<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout BERElements) throws(Malformed) -> Result
  ) throws(Malformed) -> Result {
    var held = HeldBytes()
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
