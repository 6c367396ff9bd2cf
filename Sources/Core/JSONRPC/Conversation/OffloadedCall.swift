import Synchronization
internal import Wiping

/// A request whose texts are too costly to be read on an event loop: a worker thread reads and answers it. Meanwhile the
/// conversation looks at nothing else, so that requests keep their order.
package final class OffloadedCall: Sendable {
  /// What became of it.
  package enum Answer: Sendable {
    /// A notification that was done.
    case silent
    /// A response object with the method's result.
    case response([UInt8])
    case refused(RPCError)
    /// It takes time besides.
    case working(Method.Work)
  }

  let method: Int
  let id: RequestID?
  /// What the request has asked to be answered in.
  let language: String?
  /// Bytes that are kept for what it begins.
  let heldBytes: Int
  /// Bytes of its params while it waits to be read, counted among what its user holds; 0 afterwards.
  private let waitingBytes: Atomic<Int>
  private let definition: Method
  private let session: Session
  private let responseBytes: Int
  private let depth: Int
  /// The params as a text of their own; it may have secrets, and is wiped at the end.
  private let params: Mutex<[UInt8]>

  init(
    _ method: Int, of table: MethodTable, params: JSONView, id: RequestID?, session: Session, heldBytes: Int,
    responseBytes: Int, depth: Int
  ) {
    self.method = method
    self.id = id
    self.heldBytes = heldBytes
    self.session = session
    self.responseBytes = responseBytes
    self.depth = depth
    definition = table.methods[method]
    language = definition.language(in: params)
    self.params = Mutex([UInt8](params.source))
    waitingBytes = Atomic(params.source.count)
    session.usage?.hold(params.source.count)
  }

  deinit {
    releaseHeldBytes()
    params.withLock { $0.withUnsafeMutableBytes { wipe($0) } }
  }

  private func releaseHeldBytes() {
    let bytes = waitingBytes.exchange(0, ordering: .relaxed)
    if bytes > 0 { session.usage?.hold(-bytes) }
  }

  /// Reads and answers the request; on any thread, once.
  package func answer() -> Answer {
    releaseHeldBytes()
    return params.withLock { text in
      text.withUnsafeBytes { text in
        var tape = JSONTape()
        do throws(JSONReadError) { try JSONReader.read(text, maximumDepth: depth, into: &tape) } catch {
          return .refused(.internal)
        }
        do throws(RPCError) {
          var parameters = try Parameters(JSONView(text, tape), of: definition)
          parameters.areOffloaded = true
          return try answer(parameters)
        } catch {
          return .refused(error)
        }
      }
    }
  }

  private func answer(_ parameters: Parameters) throws(RPCError) -> Answer {
    switch definition.behaviour {
    case .offloadable(let answer):
      var writer = JSONWriter()
      guard case .answered = try answer(parameters, session, &writer) else { return .refused(.internal) }
      guard let id else { return .silent }
      guard writer.count <= responseBytes else { return .refused(.responseTooLarge(limit: responseBytes)) }
      var response = JSONWriter()
      Response.begin(id: id.source, to: &response)
      response.raw(writer.bytes)
      Response.end(&response)
      return .response(response.bytes)
    case .suspending(let begin), .lookingUp(let begin):
      return .working(try begin(parameters, session))
    case .immediate, .cancelling, .discovering:
      return .refused(.internal)
    }
  }
}
