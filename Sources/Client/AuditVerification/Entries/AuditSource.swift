package import RegdClient

/// An audit that can be verified: regd's, or that of a test.
package protocol AuditSource: AnyObject {
  /// Returns the present head (`audit.head`).
  func head() throws(AuditFailure) -> AuditHead

  /// Asks for the entries after the one with this number (`events.list`), at most `limit`. Does not wait.
  func requestEntries(after number: Int, limit: Int) throws(AuditFailure)

  /// Waits for the entries that were asked for last. No other call may come between.
  ///
  /// - Returns: The text of the reply.
  func receiveEntries() throws(AuditFailure) -> [UInt8]

  /// Returns the proof that the tree of this size has the entry (`audit.prove`), or nil if the tree does not have it.
  func proof(of entry: Int, size: Int) throws(AuditFailure) -> InclusionProof?
}

/// The audit of a running regd.
package final class RegdAudit: AuditSource {
  private let conversation: RegdConversation

  package init(_ conversation: RegdConversation) { self.conversation = conversation }

  package func head() throws(AuditFailure) -> AuditHead {
    let result = try call("audit.head")
    guard let head = AuditHead(result) else { throw .unexpected(method: "audit.head") }
    return head
  }

  package func requestEntries(after number: Int, limit: Int) throws(AuditFailure) {
    try send("events.list", ["after": .number("\(number)"), "limit": .number("\(limit)")])
  }

  package func receiveEntries() throws(AuditFailure) -> [UInt8] {
    do throws(RegdClientFailure) { return try conversation.receiveText() } catch { throw .noAnswer(error) }
  }

  package func proof(of entry: Int, size: Int) throws(AuditFailure) -> InclusionProof? {
    do throws(AuditFailure) { return try proofOrRefusal(of: entry, size: size).proof } catch {
      guard case .refused(let refusal) = error, refusal.reason == "rpc.invalidParams" else { throw error }
      return nil
    }
  }

  /// Returns the proof that the tree of this size has the entry, also as regd sent it.
  ///
  /// - Throws: `.refused` also if the tree does not have the entry.
  package func proofOrRefusal(
    of entry: Int, size: Int
  ) throws(AuditFailure) -> (proof: InclusionProof, source: JSONValue) {
    let result = try call("audit.prove", ["entry": .number("\(entry)"), "size": .number("\(size)")])
    guard let proof = InclusionProof(result, size: size) else { throw .unexpected(method: "audit.prove") }
    return (proof, result)
  }

  /// Returns the proof that the tree of the size `to` begins with that of the size `from` (`audit.consistency`).
  package func consistency(from: Int, to: Int) throws(AuditFailure) -> ConsistencyProof {
    let result = try call("audit.consistency", ["from": .number("\(from)"), "to": .number("\(to)")])
    guard let proof = ConsistencyProof(result, from: from, to: to) else {
      throw .unexpected(method: "audit.consistency")
    }
    return proof
  }

  private func send(_ method: String, _ params: JSONValue?) throws(AuditFailure) {
    do throws(RegdClientFailure) { try conversation.send(method, params) } catch { throw .noAnswer(error) }
  }

  private func call(_ method: String, _ params: JSONValue? = nil) throws(AuditFailure) -> JSONValue {
    try send(method, params)
    return try AuditFailure.result(in: receiveEntries())
  }
}
