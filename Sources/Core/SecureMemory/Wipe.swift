/// Overwrites memory that held a secret with zeros.
///
/// Not inlined, because otherwise the compiler could see that nothing reads the memory again, and omit the writes.
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  bytes.initializeMemory(as: UInt8.self, repeating: 0)
}

/// Overwrites an array that holds a secret. Other copies of the array keep the secret.
package func wipe(_ array: inout [UInt8]) { array.withUnsafeMutableBytes { wipe($0) } }
