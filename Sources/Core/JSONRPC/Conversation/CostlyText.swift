import Synchronization

/// A request whose texts are too costly to be read where others wait for it: it is read and answered on another thread,
/// and its connection is gone on with when it has come back, so that nothing overtakes it.
package final class CostlyText: Sendable {
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
  /// Bytes that are kept for what it begins.
  let heldBytes: Int
  /// The same as long as it waits to be read, among what its user holds; then what is made of it counts.
  private let waitingBytes: Atomic<Int>
  private let definition: Method
  private let session: Session
  private let responseBytes: Int
  private let depth: Int
  /// The params as a text of their own; it may have secrets.
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
    self.params = Mutex([UInt8](params.source))
    waitingBytes = Atomic(params.source.count)
    session.account?.hold(params.source.count)
  }

  deinit {
    letGo()
    params.withLock { $0.withUnsafeMutableBytes { wipe($0) } }
  }

  private func letGo() {
    let bytes = waitingBytes.exchange(0, ordering: .relaxed)
    if bytes > 0 { session.account?.hold(-bytes) }
  }

  /// Reads and answers it; on any thread, once.
  package func answer() -> Answer {
    letGo()
    return params.withLock { text in
      text.withUnsafeBytes { text in
        var tape = JSONTape()
        do throws(JSONReadError) { try JSONReader.read(text, maximumDepth: depth, into: &tape) } catch {
          return .refused(.internal)
        }
        do throws(RPCError) {
          var parameters = try Parameters(JSONView(text, tape), as: definition.parameters)
          parameters.mayTakeTime = true
          return answer(parameters)
        } catch {
          return .refused(error)
        }
      }
    }
  }

  private func answer(_ parameters: Parameters) -> Answer {
    switch definition.behaviour {
    case .immediate(let answer):
      var writer = JSONWriter()
      switch answer(parameters, session, &writer) {
      case .error(let error)?: return .refused(error)
      case .costly?: return .refused(.internal)
      case nil: break
      }
      guard let id else { return .silent }
      guard writer.count <= responseBytes else { return .refused(.responseTooLarge(limit: responseBytes)) }
      var response = JSONWriter()
      Response.begin(id: id.source, to: &response)
      response.raw(writer.bytes)
      Response.end(&response)
      return .response(response.bytes)
    case .suspending(let begin):
      return .working(begin(parameters, session))
    case .cancelling, .discovering:
      return .refused(.internal)
    }
  }
}
