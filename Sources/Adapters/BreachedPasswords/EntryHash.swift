internal import CMessageDigest
internal import Registration
internal import SecureMemory

/// The first 16 bytes of a SHA-1, all that the filter uses.
struct EntryHash: Equatable {
  /// Bytes 0 to 7, big-endian, so that sorted hashes have sorted blocks.
  var first: UInt64
  /// Bytes 8 to 15, big-endian.
  var second: UInt64

  static let digestLength = Int(SHA1_DIGEST_LENGTH)
}

extension EntryHash {
  /// Hashes a password. Wipes the digest and the state of SHA-1 afterwards, because an unsalted fast hash gives most
  /// passwords away.
  init(ofPassword bytes: UnsafeRawBufferPointer) {
    self = Self.withDigest(of: bytes) { digest in
      EntryHash(
        first: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        second: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  init(_ password: Password) { self = password.withBytes { EntryHash(ofPassword: $0) } }

  /// Lends the SHA-1 of `bytes` to `body`, and wipes it afterwards.
  static func withDigest<Result>(
    of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digestLength) { digest in
      withUnsafeTemporaryAllocation(of: SHA1_CTX.self, capacity: 1) { context in
        // neither capacity is 0, so neither base address is nil
        SHA1Init(context.baseAddress!)
        if let start = bytes.bindMemory(to: UInt8.self).baseAddress {
          SHA1Update(context.baseAddress!, start, bytes.count)
        }
        SHA1Final(digest.baseAddress!, context.baseAddress!)
        wipe(UnsafeMutableRawBufferPointer(context))
        message_digest_wipe_stack()
      }
      defer { wipe(UnsafeMutableRawBufferPointer(digest)) }
      return body(UnsafeRawBufferPointer(digest))
    }
  }
}
