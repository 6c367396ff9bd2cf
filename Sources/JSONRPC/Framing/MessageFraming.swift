/// Cuts a connection's bytes into texts: bytes in, texts and refusals out, no I/O.
///
/// Texts are newline-ended, concatenated or pretty-printed JSON; any split of the same bytes over calls gives the same
/// texts and refusals. A text that lies whole in one call is handed on where it lies; only what is split is copied, and
/// the copy is wiped once the text was handed on, since texts carry passwords.
///
/// Other framings (`Content-Length` headers) will be told apart by a connection's first byte, in `receive`.
package struct MessageFraming {
  package enum Refusal: Equatable, Sendable {
    /// The text cannot be JSON.
    case notJSON
    /// The text has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The text nests deeper than `limit`.
    case tooDeep(limit: Int)
  }

  package enum Output {
    /// One whole text, for the reader. Valid during the call only.
    case text(UnsafeRawBufferPointer)
    /// One text that will not be read; the next one is found all the same.
    case refused(Refusal)
  }

  private enum State {
    case between
    /// In a text that began with a bracket.
    case structured
    /// In a text that began with something else: it ends with its line.
    case line
    case recovering
  }

  private let maximumBytes: Int
  private let maximumDepth: Int
  private var state = State.between
  private var scanner: TextScanner
  private var recovery = TextRecovery(depth: 0, isInString: false, patience: 0)
  /// What the text in progress had in earlier calls; stays empty once `isOverLimit`.
  private var held: [UInt8] = []
  /// Bytes of the text in progress, held or dropped.
  private var length = 0
  private var isOverLimit = false
  private var isAfterLineFeed = false

  /// - Parameters:
  ///   - maximumBytes: The largest text; 1 or more. White space before it does not count.
  ///   - maximumDepth: How deep arrays and objects may nest; 1 or more.
  package init(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    scanner = TextScanner(maximumDepth: maximumDepth)
  }

  /// Takes the next bytes of the connection and hands on, in order, every text that they complete.
  ///
  /// - Parameters:
  ///   - goOn: Asked before each text; with false nothing more is taken.
  /// - Returns: How many bytes were taken; the rest is to be given again.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer, while goOn: () -> Bool = { true }, _ handOn: (Output) -> Void
  ) -> Int {
    var position = 0
    /// Where the text in progress begins in `bytes`; 0 if it began in an earlier call.
    var start = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch state {
      case .between:
        position += 1
        guard !JSONBytes.isWhiteSpace(byte) else { continue }
        position -= 1
        guard goOn() else { return position }
        start = position
        begin(byte)
      case .structured:
        let step = scanner.step(byte)
        if countsOverLimit(handOn) {
          start = position
        }
        switch step {
        case .more:
          take(byte)
          position += 1
        case .complete:
          position += 1
          complete(bytes[start..<position], handOn)
        case .broken where isAfterLineFeed && (byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")):
          // a text without its end; a line that starts with a bracket is the next text, not a part of this one
          refuse(.notJSON, handOn)
          reset()
        case .broken:
          refuse(.notJSON, handOn)
          if scanner.isMismatch(byte) { position += 1 }  // it closes nothing that is open
          recover(depth: scanner.depth, isInString: scanner.isInString)
        case .tooDeep:
          refuse(.tooDeep(limit: maximumDepth), handOn)
          recover(depth: scanner.depth, isInString: false)
        }
      case .line:
        if byte == UInt8(ascii: "\n") {
          complete(bytes[start..<position], handOn)
          position += 1
        } else {
          if countsOverLimit(handOn) { start = position }
          take(byte)
          position += 1
        }
      case .recovering:
        let step = recovery.step(byte)
        if step != .end { position += 1 }
        if step != .skip { state = .between }
      }
    }
    switch state {
    case .structured, .line: if !isOverLimit { append(bytes[start...], wiping: &held) }
    case .between, .recovering: break
    }
    return bytes.count
  }

  /// The connection has no more bytes: a text without its newline is handed on as it is.
  package mutating func finish(_ handOn: (Output) -> Void) {
    switch state {
    case .structured, .line: complete(UnsafeRawBufferPointer(start: nil, count: 0)[...], handOn)
    case .between, .recovering: break
    }
  }

  /// The connection is gone: what was held of a text is wiped.
  package mutating func abandon() { reset() }

  private mutating func begin(_ byte: UInt8) {
    let isBracket = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    state = isBracket ? .structured : .line
  }

  private mutating func take(_ byte: UInt8) {
    length += 1
    isAfterLineFeed = byte == UInt8(ascii: "\n")
  }

  /// Whether the byte at hand is the first past the limit, which is then said.
  private mutating func countsOverLimit(_ handOn: (Output) -> Void) -> Bool {
    guard length == maximumBytes, !isOverLimit else { return false }
    handOn(.refused(.tooLarge(limit: maximumBytes)))
    isOverLimit = true
    wipeHeld()
    return true
  }

  /// Says no, once a text: what was refused for its size is not refused again.
  private func refuse(_ refusal: Refusal, _ handOn: (Output) -> Void) {
    if !isOverLimit { handOn(.refused(refusal)) }
  }

  private mutating func complete(_ rest: Slice<UnsafeRawBufferPointer>, _ handOn: (Output) -> Void) {
    if !isOverLimit {
      if held.isEmpty {
        handOn(.text(UnsafeRawBufferPointer(rebasing: rest)))
      } else {
        append(rest, wiping: &held)
        held.withUnsafeBytes { handOn(.text($0)) }
      }
    }
    reset()
  }

  private mutating func recover(depth: Int, isInString: Bool) {
    reset()
    recovery = TextRecovery(depth: depth, isInString: isInString, patience: maximumBytes)
    state = .recovering
  }

  private mutating func reset() {
    state = .between
    scanner.reset()
    length = 0
    isOverLimit = false
    isAfterLineFeed = false
    wipeHeld()
  }

  private mutating func wipeHeld() {
    guard !held.isEmpty else { return }
    held.withUnsafeMutableBytes { wipe($0) }
    held.removeAll(keepingCapacity: held.capacity <= 4096)
  }
}
