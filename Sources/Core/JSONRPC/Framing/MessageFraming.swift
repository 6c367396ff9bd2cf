package import Localization
internal import WireProtocols

/// Cuts a connection's bytes into texts, some of which it refuses. Does no I/O.
///
/// It detects the framing from the connection's first bytes (<doc:Wire>): a stream of JSON texts, `Content-Length` header
/// blocks, or HTTP, which is detected only to be refused. The framing of a connection never changes. However the bytes are
/// split over calls, the outputs are the same.
package struct MessageFraming: ~Copyable {
  package enum Refusal: Equatable, Sendable {
    /// The text cannot be JSON. `expected` names what the grammar requires at `offset`, in bytes from the start of the text.
    case notJSON(offset: Int, expected: JSONMessageKey)
    /// The text has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The text nests deeper than `limit`.
    case tooDeep(limit: Int)
    /// The header block gives no usable length of its text.
    case header(HeaderBlock.Problem)
  }

  package enum Output {
    /// One whole text, for `JSONReader`. The buffer is valid until the next call.
    case text(UnsafeRawBufferPointer)
    /// One text that is refused unread. The framing still finds the next text.
    case refused(Refusal)
    /// The connection speaks HTTP. It has no texts, and no output follows this one.
    case http
  }

  /// How the caller frames its texts. regd frames its replies in the same way.
  package enum Kind: Equatable, Sendable {
    /// Only white space has come, or too few bytes to decide.
    case undecided
    case texts
    case headers
    case http
  }

  package private(set) var kind = Kind.undecided
  private var opening = Opening()
  private var texts: TextFraming
  private var headers: HeaderFraming
  /// Limits that apply once the text in progress has ended.
  private var next: (bytes: Int, depth: Int)?

  /// - Parameters:
  ///   - maximumBytes: The size of the largest text in bytes, 1 or more. White space before a text does not count.
  ///   - maximumDepth: How deep arrays and objects may nest, 1 or more.
  package init(maximumBytes: Int, maximumDepth: Int) {
    texts = TextFraming(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
    headers = HeaderFraming(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
  }

  /// Sets other limits for the texts that begin from now on.
  package mutating func adopt(maximumBytes: Int, maximumDepth: Int) {
    next = (maximumBytes, maximumDepth)
    adoptNext()
  }

  private mutating func adoptNext() {
    guard let limits = next, texts.isBetweenTexts, headers.isBetweenTexts else { return }
    texts.adopt(maximumBytes: limits.bytes, maximumDepth: limits.depth)
    headers.adopt(maximumBytes: limits.bytes, maximumDepth: limits.depth)
    next = nil
  }

  /// Whether the next byte other than white space begins a JSON text, and not a header.
  @inline(__always)
  package var isBetweenTexts: Bool { kind == .texts && texts.isBetweenTexts }

  /// Takes bytes from `position` on, up to the next text or refusal.
  ///
  /// - Returns: Nil when all bytes have been taken.
  package mutating func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Output? {
    if kind == .undecided, let output = decide(bytes, &position) { return output }
    if next != nil { adoptNext() }
    switch kind {
    case .texts: return texts.next(bytes, &position)
    case .headers: return headers.next(bytes, &position)
    case .http, .undecided:
      position = bytes.count
      return nil
    }
  }

  /// Detects the framing from the first bytes, while it is unknown.
  ///
  /// - Returns: `http` if the connection speaks HTTP.
  package mutating func decide(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Output? {
    guard kind == .undecided, let decided = opening.decide(bytes, &position) else { return nil }
    return begin(decided)
  }

  /// Ends the input. Returns the unfinished text as it is, or nil if no text has begun.
  package mutating func finish() -> Output? {
    if kind == .undecided, let likely = opening.likely { _ = begin(likely) }
    switch kind {
    case .texts: return texts.finish()
    case .headers: return headers.finish()
    case .http, .undecided: return nil
    }
  }

  /// Wipes the copy of the text that was last returned, if the framing held one.
  package mutating func letGo() {
    switch kind {
    case .texts: texts.letGo()
    case .headers: headers.letGo()
    case .undecided, .http: break
    }
  }

  /// Bytes of unfinished text that the framing holds.
  package var heldBytes: Int {
    switch kind {
    case .texts: texts.heldBytes
    case .headers: headers.heldBytes
    case .undecided, .http: 0
    }
  }

  /// Wipes the held part of the text in progress, and skips the rest of the text without a second refusal.
  package mutating func giveUpText() {
    switch kind {
    case .texts: texts.giveUp()
    case .headers: headers.giveUp()
    case .undecided, .http: break
    }
  }

  /// Wipes the held text, because the connection is gone.
  package mutating func abandon() {
    texts.reset()
    headers.reset()
  }

  /// Starts the detected framing with the bytes that `opening` kept. These are letters, so they complete neither a text
  /// nor a line.
  private mutating func begin(_ decided: Kind) -> Output? {
    kind = decided
    if decided == .http { return .http }
    opening.bytes.withUnsafeBytes { bytes in
      var position = 0
      _ = decided == .texts ? texts.next(bytes, &position) : headers.next(bytes, &position)
    }
    return nil
  }
}

/// The first bytes of a connection, as long as they may still become an HTTP request line.
struct Opening {
  private(set) var bytes: [UInt8] = []

  /// The framing if no more bytes come, or nil if no byte came.
  var likely: MessageFraming.Kind? { bytes.first.map(Self.kind(of:)) }

  private static func kind(of first: UInt8) -> MessageFraming.Kind {
    first | 0x20 == UInt8(ascii: "c") ? .headers : .texts
  }

  /// The methods of RFC 9110 §9.1 and RFC 5789, and the first word of an HTTP/2 connection (RFC 9113 §3.4).
  private static let verbs = [
    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ", "PRI ",
  ].map { Array($0.utf8) }

  /// Takes bytes until they decide the framing. Leaves the deciding byte to the framing, unless the caller speaks HTTP.
  ///
  /// - Returns: Nil while undecided.
  mutating func decide(_ input: UnsafeRawBufferPointer, _ position: inout Int) -> MessageFraming.Kind? {
    while position < input.count {
      let byte = input[position]
      if bytes.isEmpty, JSONBytes.isWhiteSpace(byte) {
        position += 1
        continue
      }
      let longer = bytes + [byte]
      guard Self.verbs.contains(where: { $0.starts(with: longer) }) else {
        return Self.kind(of: bytes.first ?? byte)
      }
      position += 1
      bytes = longer
      if byte == UInt8(ascii: " ") { return .http }
    }
    return nil
  }
}
