package import WireProtocols

/// `limits`: how much callers may ask for.
package struct LimitSettings: Equatable, Sendable {
  package var limits = Limits()

  /// How long a claim of this regd lasts (`Claimant`), on a pending account or on a mail that it sends. Requests and
  /// attempts to send a mail end at least 5 seconds earlier, which leaves time for commits.
  package var lease: Duration { .seconds(limits.requestSeconds + 5) }

  /// The default limits.
  init() {}

  init(_ reader: inout SettingsReader) {
    func read(_ name: String, _ limit: WritableKeyPath<Limits, Int>, _ range: ClosedRange<Int>) {
      limits[keyPath: limit] = reader.integer("limits.\(name)", default: limits[keyPath: limit], range)
    }
    let mebibyte = 1 << 20
    read("messageBytes", \.messageBytes, 1024...256 * mebibyte)
    read("depth", \.depth, 4...10_000)
    read("batchItems", \.batchItems, 1...100_000)
    read("idBytes", \.idBytes, 64...65_536)
    read("responseBytes", \.responseBytes, 65_536...256 * mebibyte)
    read("inFlightPerConnection", \.inFlightPerConnection, 1...10_000)
    read("inFlightPerUID", \.inFlightPerUID, 1...1_000_000)
    read("connections", \.connections, 1...1_000_000)
    read("connectionsPerUID", \.connectionsPerUID, 1...1_000_000)
    read("queuedBytesPerConnection", \.queuedBytesPerConnection, 65_536...256 * mebibyte)
    read("queuedBytesPerUID", \.queuedBytesPerUID, 65_536...16_384 * mebibyte)
    read("heldBytesPerUID", \.heldBytesPerUID, 65_536...16_384 * mebibyte)
    read("stalledSeconds", \.stalledSeconds, 1...86_400)
    read("idleSeconds", \.idleSeconds, 0...31_536_000)
    read("requestsPerSecondPerUID", \.requestsPerSecondPerUID, 0...10_000_000)
    read("requestSeconds", \.requestSeconds, 1...86_400)
  }
}
