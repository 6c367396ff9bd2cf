internal import WireFormats
internal import WireProtocols

/// Base64 (RFC 4648 §4) of a text that contains a password, with its padding, and nothing else.
enum EncodedSecret {
  /// Decodes a text. Returns nil if it is not base64, or has stray bits, because a password would have two encodings.
  /// The result is wiped when it is released.
  static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> SecureBuffer? {
    var bytes = SecureBuffer()
    let isBase64 = Base64.decode(text) { bytes.append($0) }
    guard isBase64 else { return nil }
    return bytes
  }
}
