internal import CMessageDigest
internal import Registration
internal import Wiping

/// The first 16 bytes of a SHA-1, which is all that the filter looks at.
struct EntryHash: Equatable {
  /// Bytes 0 to 7, big-endian, so that hashes in their order have blocks in their order.
  var first: UInt64
  /// Bytes 8 to 15, big-endian.
  var second: UInt64

  /// The digest's length in bytes.
  static let digestLength = Int(SHA1_DIGEST_LENGTH)
}

extension EntryHash {
  /// The hash of what the password holds. The digest, and what SHA-1 had in between, are overwritten: a SHA-1 of a
  /// password is nearly the password.
  init(ofPassword bytes: UnsafeRawBufferPointer) {
    self = Self.withDigest(of: bytes) { digest in
      EntryHash(
        first: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        second: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  init(_ password: Password) { self = password.withBytes { EntryHash(ofPassword: $0) } }

  /// Lends the SHA-1 of `bytes`, which is overwritten afterwards.
  static func withDigest<Result>(
    of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digestLength) { digest in
      withUnsafeTemporaryAllocation(of: SHA1_CTX.self, capacity: 1) { context in
        // both have an address: neither has a capacity of 0
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
