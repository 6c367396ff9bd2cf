internal import WireProtocols

/// Handles requests that are answered later: those that take time, and those whose params a worker thread reads.
extension Requests {
  /// Bytes of params that each request may always keep until its reply, however much regd holds for its user.
  private static let shareOfHeldBytes = 16_384

  /// Begins a request that takes time, unless its user has too many requests in flight or too many bytes held.
  func takeTime(
    _ index: Int, _ message: Message, isCostly: Bool, _ parameters: Parameters, _ output: inout JSONWriter
  ) -> Step {
    guard quota.inFlight < limits.inFlightPerUID else {
      return fail(.tooManyInFlight(limit: limits.inFlightPerUID), message, index, &output)
    }
    guard inFlight.toldCount < limits.latePerConnection else {
      return fail(.tooManyInFlight(limit: limits.latePerConnection), message, index, &output)
    }
    // twice the params: a method keeps them, and may write a second copy, for example for an upstream
    let heldBytes = 2 * (message.params?.source.count ?? 0)
    let held = quota.heldBytes + (batch?.heldBytes ?? 0)
    guard heldBytes <= Self.shareOfHeldBytes || held + heldBytes <= limits.heldBytesPerUID else {
      return fail(.tooMuchHeld(limit: limits.heldBytesPerUID), message, index, &output)
    }
    let method = dispatcher.table.methods[index]
    let id = message.id.flatMap { RequestID($0) }
    if isCostly, let params = message.params {
      return .offloaded(
        OffloadedCall(
          index, of: dispatcher.table, params: params, id: id, session: session, heldBytes: heldBytes,
          responseBytes: responseBytes, depth: limits.depth))
    }
    let language = method.language(in: message.params)
    func working(_ work: @escaping Method.Work, isLookUp: Bool) -> Step {
      .working(id, work, method: index, language: language, heldBytes: heldBytes, isLookUp: isLookUp)
    }
    do throws(RPCError) {
      switch method.behaviour {
      case .suspending(let begin): return working(try begin(parameters, session), isLookUp: false)
      case .lookingUp(let begin): return working(try begin(parameters, session), isLookUp: true)
      case .immediate, .offloadable, .cancelling, .discovering: return fail(.internal, message, index, &output)
      }
    } catch {
      return fail(error, message, index, &output)
    }
  }

  /// Takes the answer to an offloaded call that is not an item of a batch.
  mutating func take(_ answer: OffloadedCall.Answer, to call: OffloadedCall, _ output: inout JSONWriter) -> Outcome {
    outcome(of: step(answer, to: call, &output))
  }

  /// Turns the worker thread's answer to an offloaded call into a step.
  mutating func step(_ answer: OffloadedCall.Answer, to call: OffloadedCall, _ output: inout JSONWriter) -> Step {
    quota.end(1)
    switch answer {
    case .silent:
      results.count(call.method)
      return .silent
    case .response(let response):
      results.count(call.method)
      output.beginText()
      output.raw(response)
      return .written
    case .refused(let error):
      dispatcher.observer?.refused(call.method, error.reason, by: session.caller)
      guard let id = call.id else { return .silent }
      Response.write(error, id: id.source, in: session.language(for: call.language), to: &output)
      return .written
    case .working(let work):
      // never on the event loop, because the params contain costly texts
      return .working(
        call.id, work, method: call.method, language: call.language, heldBytes: call.heldBytes, isLookUp: false)
    }
  }
}
