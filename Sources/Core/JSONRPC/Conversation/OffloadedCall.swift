internal import SecureMemory
import Synchronization
internal import WireProtocols

/// A request whose params are too costly to read on an event loop, so that a worker thread reads and answers it.
/// Meanwhile the conversation reads nothing else, so requests keep their order.
package final class OffloadedCall: Sendable {
  /// The worker thread's answer.
  package enum Answer: Sendable {
    /// The call was a notification and is done.
    case silent
    /// A response object with the method's result, ready to send.
    case response([UInt8])
    case refused(RPCError)
    /// The method answers later, after this work.
    case working(Method.Work)
  }

  let method: Int
  let id: RequestID?
  /// The language that the request asked for.
  let language: String?
  /// Bytes that count against the user's limit of held bytes while the work of the request is in flight.
  let heldBytes: Int
  /// Bytes of the params, which count against the same limit while the request waits to be read. 0 afterwards.
  private let waitingBytes: Atomic<Int>
  private let definition: Method
  private let session: Session
  private let responseBytes: Int
  private let depth: Int
  /// A copy of the params' text. It may contain secrets, so `deinit` wipes it.
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
    session.quota?.hold(params.source.count)
  }

  deinit {
    releaseHeldBytes()
    params.withLock { $0.withUnsafeMutableBytes { wipe($0) } }
  }

  private func releaseHeldBytes() {
    let bytes = waitingBytes.exchange(0, ordering: .relaxed)
    if bytes > 0 { session.quota?.hold(-bytes) }
  }

  /// Reads and answers the request. Call it once, on any thread.
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
