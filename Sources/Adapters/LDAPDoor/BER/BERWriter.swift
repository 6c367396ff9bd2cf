internal import CLBER

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
