/// The known clients of a throttle, as regd keeps them over a restart, within a day: all of them, or the latest changes.
///
/// A file has a name, a key and blocks. The first block has all clients. Each later block was appended and has changes.
/// The file ends before the first block that is incomplete, because regd was killed or the power was lost.
///
/// The bytes contain keyed hashes of addresses and origins, and their key. A program that reads them can test whether
/// the owner of a certain address has used a certain origin within the last day. They contain nothing of a password.
package struct KeptClients: Sendable {
  let key: (UInt64, UInt64)
  /// In order: a change of a client replaces the earlier ones of that client.
  let changes: [ClientChange]
  /// The moment at which the changes were taken from the throttle.
  private let now: Moment

  init(key: (UInt64, UInt64), changes: [ClientChange], at now: Moment) {
    (self.key, self.changes, self.now) = (key, changes, now)
  }

  private static let name = Array("regd-clients-2\n".utf8)
  /// The name of a file with one block, which earlier versions of regd wrote. It has as many bytes as `name`.
  private static let earlierName = Array("regd-clients-1\n".utf8)
  private static let keySize = 16

  /// The bytes of a file, if this value has all clients.
  ///
  /// - Parameter time: The present time by the wall clock, which continues between two processes.
  package func bytes(at time: Timestamp) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(key.0)
    bytes.write(key.1)
    return Self.name + bytes.bytes + block(at: time)
  }

  /// The bytes to append to a file of the same throttle.
  ///
  /// - Parameter time: The present time by the wall clock.
  package func block(at time: Timestamp) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(UInt32(changes.count))
    bytes.write(UInt64(bitPattern: time.microseconds))
    for change in changes { KeptChange(change, at: now).write(to: &bytes) }
    return bytes.bytes + Block.sum(bytes.bytes[...], key)
  }

  /// - Parameters:
  ///   - bytes: The bytes of a file.
  ///   - time: The present time by the wall clock.
  /// - Returns: Nil if the first block is damaged, or the file has another version.
  package init?(_ bytes: [UInt8], at time: Timestamp) {
    let isEarlier = bytes.starts(with: Self.earlierName)
    guard isEarlier || bytes.starts(with: Self.name) else { return nil }
    var rest = bytes[Self.name.count...]
    var head = ByteReader(rest.prefix(Self.keySize))
    let key: (UInt64, UInt64) = (head.read(), head.read())
    guard let first = isEarlier ? Block(only: rest) : Block(rest.dropFirst(Self.keySize), key) else { return nil }
    var changes = first.changes(at: time)
    rest = rest.dropFirst(Self.keySize + first.size)
    while !isEarlier, let block = Block(rest, key) {
      changes += block.changes(at: time)
      rest = rest.dropFirst(block.size)
    }
    (self.key, self.changes, now) = (key, changes, 0)
  }
}

/// The changes that a file got at one time. Their number and the time precede them, and a checksum follows.
private struct Block {
  private static let headSize = 12
  private static let sumSize = 8

  private let time: Timestamp
  private let content: ArraySlice<UInt8>
  /// Bytes of the block.
  let size: Int

  /// The first block of `bytes`, or nil if it is damaged or incomplete.
  init?(_ bytes: ArraySlice<UInt8>, _ key: (UInt64, UInt64)) {
    var head = ByteReader(bytes.prefix(Self.headSize))
    let count: UInt32 = head.read()
    time = Timestamp(microseconds: Int64(bitPattern: head.read()))
    let end = Self.headSize + Int(count) * KeptChange.size
    size = end + Self.sumSize
    content = bytes.prefix(end).dropFirst(Self.headSize)
    guard bytes.count >= size, Array(bytes.dropFirst(end).prefix(Self.sumSize)) == Self.sum(bytes.prefix(end), key)
    else { return nil }
  }

  /// The block of a file of the earlier version, or nil if it is damaged. It begins with the key, does not contain the
  /// number of its changes, and its checksum needs no key.
  init?(only bytes: ArraySlice<UInt8>) {
    let headSize = 24
    var head = ByteReader(bytes.prefix(headSize).dropFirst(16))
    time = Timestamp(microseconds: Int64(bitPattern: head.read()))
    size = bytes.count
    content = bytes.dropFirst(headSize).dropLast(Self.sumSize)
    guard bytes.count >= headSize + Self.sumSize, content.count % KeptChange.size == 0,
      Array(bytes.suffix(Self.sumSize)) == Self.sum(bytes.dropLast(Self.sumSize), (0, 0))
    else { return nil }
  }

  /// The changes that still count.
  ///
  /// - Parameter now: The present time by the wall clock.
  func changes(at now: Timestamp) -> [ClientChange] {
    // a clock that was set back does not show the time that has passed
    let (difference, isOverflow) = now.microseconds.subtractingReportingOverflow(time.microseconds)
    let passed = time > now ? 0 : isOverflow ? KnownClient.day : difference / 1000
    var reader = ByteReader(content)
    var changes: [ClientChange] = []
    while !reader.isAtEnd {
      if let change = KeptChange(from: &reader).change(after: passed) { changes.append(change) }
    }
    return changes
  }

  /// A checksum, against bytes that were cut or changed by accident.
  static func sum(_ bytes: ArraySlice<UInt8>, _ key: (UInt64, UInt64)) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(bytes.withUnsafeBytes { SipHash(key: key).hash($0) })
    return writer.bytes
  }
}

/// A change as a block contains it.
private struct KeptChange {
  /// Bytes of a change.
  static let size = 52

  private enum Kind: UInt8 {
    /// A known client, of an account whose id is not known, or is.
    case known = 0
    case knownOfAccount = 1
    /// All clients of the account are unknown.
    case forgotten = 2
    case gone = 3
  }

  private let account: UInt64
  private var client = SignInAttempt.ShareHash(number: 0, uid: 0, hasOrigin: false)
  private let kind: UInt8
  private var id = AccountID(words: (0, 0))
  /// Milliseconds since the owner used the client.
  private var age: UInt64 = 0
  private var wrong: UInt16 = 0
  /// Seconds for which the client still counts as a stranger's.
  private var barred: UInt32 = 0

  init(_ change: ClientChange, at now: Moment) {
    switch change {
    case .known(let known, let account):
      self.account = account
      client = known.client
      kind = (known.account == nil ? Kind.known : .knownOfAccount).rawValue
      id = known.account ?? id
      age = UInt64(max(0, now - known.used))
      wrong = known.wrong(at: now)
      barred = UInt32(max(0, known.barredUntil - now) / 1000)
    case .gone(let key):
      (account, client) = (key.account, key.client)
      kind = Kind.gone.rawValue
    case .forgotten(let account):
      self.account = account
      kind = Kind.forgotten.rawValue
    }
  }

  init(from reader: inout ByteReader) {
    account = reader.read()
    client = SignInAttempt.ShareHash(number: reader.read(), uid: reader.read(), hasOrigin: reader.read() as UInt8 == 1)
    kind = reader.read()
    id = AccountID(words: (reader.read(), reader.read()))
    age = reader.read()
    // no client has more, and counting on from more would overflow
    wrong = min(reader.read(), UInt16(KnownClient.mostWrong))
    barred = reader.read()
  }

  func write(to bytes: inout ByteWriter) {
    bytes.write(account)
    bytes.write(client.number)
    bytes.write(client.uid)
    bytes.write(UInt8(client.hasOrigin ? 1 : 0))
    bytes.write(kind)
    bytes.write(id.words.0)
    bytes.write(id.words.1)
    bytes.write(age)
    bytes.write(wrong)
    bytes.write(barred)
  }

  /// - Parameter passed: Milliseconds since the change was written.
  /// - Returns: Nil if the change no longer counts.
  func change(after passed: Moment) -> ClientChange? {
    if kind == Kind.forgotten.rawValue { return .forgotten(account: account) }
    if kind == Kind.gone.rawValue { return .gone(SignInAttempt.Key(account: account, client: client)) }
    let age = Moment(clamping: age).addingReportingOverflow(passed)
    guard !age.overflow, age.partialValue < KnownClient.day else { return nil }
    let known = KnownClient(
      client: client, account: kind == Kind.knownOfAccount.rawValue ? id : nil, used: -age.partialValue, wrong: wrong,
      barredUntil: min(Moment(barred) * 1000, KnownClient.day) - passed)
    return .known(known, account: account)
  }
}

/// Writes integers, the lowest byte first.
private struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads integers, the lowest byte first. Reads zeros beyond the end.
private struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  var isAtEnd: Bool { index >= bytes.endIndex }

  mutating func read<Number: FixedWidthInteger>() -> Number {
    var number: Number = 0
    for shift in 0..<Number.bitWidth / 8 where index < bytes.endIndex {
      number |= Number(truncatingIfNeeded: bytes[index]) << Number(shift * 8)
      index += 1
    }
    return number
  }
}
