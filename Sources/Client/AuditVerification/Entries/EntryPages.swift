internal import JSONRPC
internal import RegdClient

/// Reads the entries of an audit, page by page. While one page is hashed, regd reads the next one.
final class EntryPages {
  private let source: any AuditSource
  private let reader = EntryReader()

  /// The most entries of one page, which is also the most that regd returns.
  private static let pageSize = 1000

  init(_ source: any AuditSource) { self.source = source }

  /// Reads the entries after the one with the number `after`, in their order.
  ///
  /// - Parameters:
  ///   - most: The most entries to read, or nil for all.
  ///   - visit: Gets each entry.
  func forEach(
    after: Int, atMost most: Int? = nil, _ visit: (HashedEntry) throws(AuditFailure) -> Void
  ) throws(AuditFailure) {
    var left = most ?? .max
    guard left > 0 else { return }
    try request(after, left)
    var goesOn = true
    while goesOn {
      let text = try source.receiveEntries()
      var tape = JSONTape()
      let page = text.withUnsafeBytes { bytes in
        try? JSONDocument.read(bytes, tape: &tape) { root in visitPage(root, &left, visit) }
      }
      guard let page else { throw .noAnswer(.notAReply(String(decoding: text.prefix(200), as: UTF8.self))) }
      switch page {
      case .success(let next): goesOn = next != nil
      case .failure(.unexpected(let method)):
        // an error of regd is not a page of entries
        _ = try AuditFailure.result(in: text)
        throw .unexpected(method: method)
      case .failure(let failure): throw failure
      }
    }
  }

  private func request(_ after: Int, _ left: Int) throws(AuditFailure) {
    try source.requestEntries(after: after, limit: min(left, Self.pageSize))
  }

  /// Asks for the next page, and then visits the entries of this one.
  ///
  /// - Returns: The number after which the next page begins, or nil if there is none.
  private func visitPage(
    _ root: JSONView, _ left: inout Int, _ visit: (HashedEntry) throws(AuditFailure) -> Void
  ) -> Result<Int?, AuditFailure> {
    guard let result = root.member("result"), let events = result.member("events"), events.kind == .array else {
      return .failure(.unexpected(method: "events.list"))
    }
    events.forEachElement { _ in left -= 1 }
    let next = left > 0 ? result.member("next")?.integer.map { Int($0) } : nil
    var failure: AuditFailure?
    do throws(AuditFailure) {
      if let next { try request(next, left) }
    } catch { failure = error }
    events.forEachElement { event in
      guard failure == nil else { return }
      do throws(AuditFailure) {
        guard let entry = reader.read(event) else { throw AuditFailure.unexpected(method: "events.list") }
        try visit(entry)
      } catch { failure = error }
    }
    if let failure { return .failure(failure) }
    return .success(next)
  }
}
