/// Overwrites memory that held a secret with zeros.
///
/// Not inlined, so that the compiler cannot see that nothing reads the memory again, and leave the stores out.
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  bytes.initializeMemory(as: UInt8.self, repeating: 0)
}

/// Overwrites an array that holds a secret. The secret stays in other copies of the array.
package func wipe(_ array: inout [UInt8]) { array.withUnsafeMutableBytes { wipe($0) } }
