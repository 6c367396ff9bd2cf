/// The known places of a throttle, as regd keeps them over a restart, within a day.
///
/// The bytes contain keyed hashes of addresses and origins, and their key. A program that reads them can test whether
/// the owner of a certain address was at a certain origin within the last day. They contain nothing of a password.
package struct KeptPlaces: Sendable {
  let key: (UInt64, UInt64)
  let places: [(account: UInt64, place: KnownPlace)]
  /// The moment at which the places were taken from the throttle.
  private let now: Moment

  init(key: (UInt64, UInt64), places: [(account: UInt64, place: KnownPlace)], at now: Moment) {
    (self.key, self.places, self.now) = (key, places, now)
  }

  private static let name = Array("regd-clients-1\n".utf8)
  /// Bytes of a place.
  private static let size = 52

  /// - Parameter time: The present time by the wall clock, which continues between two processes.
  package func bytes(at time: Timestamp) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(key.0)
    bytes.write(key.1)
    bytes.write(UInt64(bitPattern: time.microseconds))
    for (account, place) in places {
      bytes.write(account)
      bytes.write(place.place.number)
      bytes.write(place.place.uid)
      bytes.write(UInt8(place.place.hasOrigin ? 1 : 0))
      bytes.write(UInt8(place.account == nil ? 0 : 1))
      let (high, low) = place.account?.words ?? (0, 0)
      bytes.write(high)
      bytes.write(low)
      bytes.write(UInt64(max(0, now - place.used)))
      bytes.write(place.wrong(at: now))
      bytes.write(UInt32(max(0, place.barredUntil - now) / 1000))
    }
    return Self.name + bytes.bytes + Self.sum(bytes.bytes)
  }

  /// - Parameters:
  ///   - bytes: The result of `bytes(at:)`.
  ///   - time: The present time by the wall clock.
  /// - Returns: Nil if the bytes are damaged, or of another version.
  package init?(_ bytes: [UInt8], at time: Timestamp) {
    guard bytes.starts(with: Self.name), bytes.count >= Self.name.count + 32 else { return nil }
    let content = Array(bytes[Self.name.count..<bytes.count - 8])
    guard Array(bytes.suffix(8)) == Self.sum(content), (content.count - 24) % Self.size == 0 else { return nil }
    var reader = ByteReader(bytes: content)
    key = (reader.read(), reader.read())
    let then = Timestamp(microseconds: Int64(bitPattern: reader.read()))
    // a clock that was set back does not show the time that has passed
    let passed = max(0, (time.microseconds - then.microseconds) / 1000)
    var places: [(account: UInt64, place: KnownPlace)] = []
    while !reader.isAtEnd {
      let account: UInt64 = reader.read()
      let place = SignInAttempt.Place(
        number: reader.read(), uid: reader.read(), hasOrigin: reader.read() as UInt8 == 1)
      let hasAccount = reader.read() as UInt8 == 1
      let id = AccountID(words: (reader.read(), reader.read()))
      let age = Moment(clamping: reader.read() as UInt64).addingReportingOverflow(passed)
      let (wrong, barred): (UInt16, UInt32) = (reader.read(), reader.read())
      guard !age.overflow, age.partialValue < KnownPlace.day else { continue }
      let known = KnownPlace(
        place: place, account: hasAccount ? id : nil, used: -age.partialValue, wrong: wrong,
        barredUntil: min(Moment(barred) * 1000, KnownPlace.day) - passed)
      places.append((account, known))
    }
    (self.places, now) = (places, 0)
  }

  /// A checksum, against bytes that were cut or changed by accident.
  private static func sum(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(bytes.withUnsafeBytes { SipHash(key: (0, 0)).hash($0) })
    return writer.bytes
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
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index >= bytes.count }

  mutating func read<Number: FixedWidthInteger>() -> Number {
    var number: Number = 0
    for shift in 0..<Number.bitWidth / 8 where index < bytes.count {
      number |= Number(truncatingIfNeeded: bytes[index]) << Number(shift * 8)
      index += 1
    }
    return number
  }
}
