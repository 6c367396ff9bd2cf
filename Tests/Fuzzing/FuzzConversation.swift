import WireProtocols

// Compiled together with Sources/Core/JSONRPC by `make fuzz`, as one module.

/// libFuzzer's entry. The first three bytes choose the places where the rest is cut. However the rest is cut, the
/// replies must be the same, and no text may get two replies.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 3 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 3, count: count - 3))
  let cuts = (0..<3).map { Int(start[$0]) * bytes.count / 255 }.sorted()
  let pieces = zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
  let whole = Fuzzed.replies([bytes])
  Fuzzed.demand(Fuzzed.replies(pieces) == whole, "another split, other replies")
  Fuzzed.demand(Fuzzed.replies(bytes.map { [$0] }) == whole, "byte by byte, other replies")
  Fuzzed.checkReader(bytes)
  return 0
}

enum Fuzzed {
  private static let string = Parameter("s", .string, required: false, "")
  private static let integer = Parameter("i", .integer, required: false, "")
  private static let object = Parameter("o", .object, required: false, "")
  private static let id = Parameter("id", .id, required: true, "")

  private static let dispatcher = Dispatcher(
    table: MethodTable([
      Method(
        "m", "Answers how its params were understood.",
        parameters: [string, integer, object],
        .immediate { parameters, _, result in
          result.array { result in
            if let string = parameters[string]?.string { result.value(string) }
            if let integer = parameters[integer]?.integer { result.value(integer) }
            if let object = parameters[object] { result.raw(object.source) }
          }
        }),
      Method("c", "Cancels.", parameters: [id], .cancelling(id: id)),
    ]), limits: Limits(messageBytes: 300, depth: 6, batchItems: 4, responseBytes: 200))

  /// Everything that comes back, and what may be sent afterwards without harm.
  static func replies(_ pieces: [[UInt8]]) -> [UInt8] {
    var conversation = Conversation(
      dispatcher, session: Session(caller: Peer(uid: 1, gid: 1, pid: 1)),
      quota: PeerQuota(uid: 1, requestsPerSecond: 0))
    var output = JSONWriter()
    for piece in pieces {
      var allowance = Conversation.Allowance(requests: .max, outputBytes: .max)
      let taken = piece.withUnsafeBytes {
        conversation.receive($0, into: &output, within: &allowance) { _ in demand(false, "nothing here takes time") }
      }
      demand(taken == piece.count, "bytes were left")
    }
    conversation.finish(into: &output) { _ in }
    conversation.abandon()
    return output.bytes
  }

  /// Checks that the framing takes everything that the reader takes as one text, and that the values that the reader
  /// returns can be written and read again.
  static func checkReader(_ bytes: [UInt8]) {
    var tape = JSONTape()
    bytes.withUnsafeBytes { text in
      guard (try? JSONReader.read(text, maximumDepth: 6, into: &tape)) != nil else { return }
      var writer = JSONWriter()
      copy(JSONView(text, tape), to: &writer)
      var again = JSONTape()
      let isReadAgain = (try? JSONReader.read(writer.written, maximumDepth: 6, into: &again)) != nil
      demand(isReadAgain && again.count == tape.count, "what was written is not what was read")
      let view = JSONView(text, tape)
      guard view.kind == .object || view.kind == .array else { return }
      var position = 0
      var framing = MessageFraming(maximumBytes: max(1, bytes.count), maximumDepth: 6)
      guard case .text(let framed)? = framing.next(text, &position) else {
        return demand(false, "the framing takes it not")
      }
      demand(framed.elementsEqual(view.source), "the framing takes another text")
    }
  }

  private static func copy(_ view: JSONView, to writer: inout JSONWriter) {
    switch view.kind {
    case .object:
      writer.object { writer in
        view.forEachMember { name, value in
          writer.name(name.string ?? "")
          copy(value, to: &writer)
        }
      }
    case .array: writer.array { writer in view.forEachElement { copy($0, to: &writer) } }
    case .string: writer.value(view.string ?? "")
    case .number, .true, .false, .null: writer.raw(view.source)
    }
  }

  static func demand(_ isSo: Bool, _ what: String) {
    if !isSo { fatalError(what) }
  }
}
