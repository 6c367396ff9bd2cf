/// Cuts a connection's bytes into texts: bytes in, texts and refusals out, no I/O.
///
/// How texts are framed is read off the connection's first bytes (<doc:Wire>) and stays: a stream of JSON texts,
/// `Content-Length` header blocks, or HTTP, which is recognised to be refused. Any split of the same bytes over calls
/// gives the same outputs.
package struct MessageFraming: ~Copyable {
  package enum Refusal: Equatable, Sendable {
    /// The text cannot be JSON.
    case notJSON
    /// The text has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The text nests deeper than `limit`.
    case tooDeep(limit: Int)
    /// The header block does not say where its text ends.
    case header(HeaderBlock.Problem)
  }

  package enum Output {
    /// One whole text, for the reader. Valid until the next call.
    case text(UnsafeRawBufferPointer)
    /// One text that will not be read; the next one is found all the same.
    case refused(Refusal)
    /// HTTP. There are no texts, and nothing comes after this.
    case http
  }

  /// How this connection frames its texts, and wants its replies.
  package enum Kind: Equatable, Sendable {
    /// Nothing but white space has come, or too little to tell.
    case undecided
    case texts
    case headers
    case http
  }

  package private(set) var kind = Kind.undecided
  private var opening = Opening()
  private var texts: TextFraming
  private var headers: HeaderFraming
  /// Limits that wait for the end of the text that has begun.
  private var next: (bytes: Int, depth: Int)?

  /// - Parameters:
  ///   - maximumBytes: The largest text; 1 or more. White space before it does not count.
  ///   - maximumDepth: How deep arrays and objects may nest; 1 or more.
  package init(maximumBytes: Int, maximumDepth: Int) {
    texts = TextFraming(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
    headers = HeaderFraming(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
  }

  /// Other limits for the texts that begin from now on.
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

  /// Whether the next byte that is no white space begins a JSON text, not a header.
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

  /// Reads the framing off the first bytes, while it is not known.
  ///
  /// - Returns: `http`, where it is that.
  package mutating func decide(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Output? {
    guard kind == .undecided, let decided = opening.decide(bytes, &position) else { return nil }
    return begin(decided)
  }

  /// The connection has no more bytes: a text without its end is handed on as it is.
  package mutating func finish() -> Output? {
    if kind == .undecided, let likely = opening.likely { _ = begin(likely) }
    switch kind {
    case .texts: return texts.finish()
    case .headers: return headers.finish()
    case .http, .undecided: return nil
    }
  }

  /// Wipes what was kept of the text that was handed on last, if it is not where it was read.
  package mutating func letGo() {
    switch kind {
    case .texts: texts.letGo()
    case .headers: headers.letGo()
    case .undecided, .http: break
    }
  }

  /// Bytes of a text that has no end yet.
  package var heldBytes: Int {
    switch kind {
    case .texts: texts.heldBytes
    case .headers: headers.heldBytes
    case .undecided, .http: 0
    }
  }

  /// Lets go of what there is of a text, and passes over the rest of it without a further refusal.
  package mutating func giveUpText() {
    switch kind {
    case .texts: texts.giveUp()
    case .headers: headers.giveUp()
    case .undecided, .http: break
    }
  }

  /// The connection is gone: what was held of a text is wiped.
  package mutating func abandon() {
    texts.reset()
    headers.reset()
  }

  /// The bytes that were kept until the framing was known are letters, which end no text and no line.
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

  /// What it is where nothing more comes; nil where nothing came.
  var likely: MessageFraming.Kind? { bytes.first.map(Self.kind(of:)) }

  private static func kind(of first: UInt8) -> MessageFraming.Kind {
    first | 0x20 == UInt8(ascii: "c") ? .headers : .texts
  }

  /// RFC 9110 §9.1, RFC 5789, and the first word of an HTTP/2 connection (RFC 9113 §3.4).
  private static let verbs = [
    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ", "PRI ",
  ].map { Array($0.utf8) }

  /// Takes bytes that leave it open; the one that decides is left to the framing, except in HTTP.
  ///
  /// - Returns: Nil while it is open.
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
