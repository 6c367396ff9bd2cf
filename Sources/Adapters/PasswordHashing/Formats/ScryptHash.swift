internal import Localization

extension PasswordHashFormat {
  /// `$scrypt$ln=…,r=…,p=…$salt$tag` as Python's passlib writes it (RFC 7914): base64 of the standard alphabet.
  struct Scrypt: Equatable, Sendable, CustomStringConvertible {
    /// The binary logarithm of N, 1 or more, and less than 16 times the block size.
    let logN: Int
    /// r, in units of 128 bytes, 1 or more.
    let blockSize: Int
    /// p, 1 or more. regd computes the p parts one after the other, in the same memory.
    let parallelism: Int
    let salt: [UInt8]
    let tag: [UInt8]

    var description: String { "(password hash)" }

    /// OWASP's settings go up to 17 with r=8. With 20, r=2 already reaches the limit of memory.
    static let maximumLogN = 20
    /// The usual value, and OWASP's, is 8. Besides its N blocks, scrypt needs 128 times r times p bytes. This limit
    /// keeps them at 128 KiB or less.
    static let maximumBlockSize = 64
    /// OWASP's settings go up to 10, for little memory.
    static let maximumParallelism = 16
    /// The most bytes of N blocks, each of 128 times r bytes: 256 MiB, the same limit as for argon2id.
    static let maximumMemory = 268_435_456
    /// The most bytes of N blocks, times p: 1 GiB of memory traffic, two or three seconds of one core.
    static let maximumMemoryTimesParallelism = 1_073_741_824

    /// - Parameter fields: The fields after the scheme's name.
    init(_ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
      var fields = fields
      guard fields.count == 3, let parameters = fields.popFirst(), let salt = fields.popFirst(),
        let tag = fields.popFirst()
      else { throw .malformed(.fields, expected: "$scrypt$parameters$salt$value") }
      let numbers = try PasswordHashFields.numbers(
        in: parameters, [("ln", .logN), ("r", .blockSize), ("p", .parallelism)])
      (logN, blockSize, parallelism) = (numbers[0], numbers[1], numbers[2])
      self.salt = try PasswordHashFields.bytes(in: salt, .salt)
      self.tag = try PasswordHashFields.bytes(in: tag, .tag)
      try requirePossible()
    }

    /// - Parameters: As the properties. `logN`, `blockSize` and `parallelism` are 1 or more.
    init(
      logN: Int, blockSize: Int, parallelism: Int, salt: [UInt8], tag: [UInt8]
    ) throws(PasswordHashFault) {
      (self.logN, self.blockSize, self.parallelism) = (logN, blockSize, parallelism)
      (self.salt, self.tag) = (salt, tag)
      try requirePossible()
    }

    /// Parses `N$salt$r$p$value`, as Django writes it: N itself instead of its logarithm, and the salt as plain text.
    init(django fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
      let fields = Array(fields)
      guard fields.count == 5 else { throw .malformed(.fields, expected: "scrypt$N$salt$r$p$value") }
      let factor = try PasswordHashFields.wholeNumber(fields[0], .logN)
      guard factor > 1, factor & (factor - 1) == 0 else {
        throw .malformed(.logN, expected: .hash(.expectedPowerOfTwo))
      }
      try self.init(
        logN: factor.trailingZeroBitCount, blockSize: PasswordHashFields.wholeNumber(fields[2], .blockSize),
        parallelism: PasswordHashFields.wholeNumber(fields[3], .parallelism), salt: Array(fields[1]),
        tag: PasswordHashFields.padded(fields[4], .tag))
    }

    private func requirePossible() throws(PasswordHashFault) {
      guard logN < 16 * blockSize else { throw .malformed(.logN, expected: .hash(.expectedLogN)) }
    }

    /// Checks each factor before the products, so that no product overflows an Int.
    func requireBearableCost() throws(PasswordHashFault) {
      try PasswordHashFormat.require(.logN, logN, atMost: Self.maximumLogN)
      try PasswordHashFormat.require(.blockSize, blockSize, atMost: Self.maximumBlockSize)
      try PasswordHashFormat.require(.parallelism, parallelism, atMost: Self.maximumParallelism)
      let memory = 128 * blockSize << logN
      try PasswordHashFormat.require(.blocks, memory, atMost: Self.maximumMemory)
      try PasswordHashFormat.require(
        .blocksTimesParallelism, memory * parallelism, atMost: Self.maximumMemoryTimesParallelism)
    }
  }
}
