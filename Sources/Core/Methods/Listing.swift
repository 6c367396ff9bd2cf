internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// A method that lists elements, one page per call. Each list of regd is one such value.
struct Listing<Position: ListPosition, Element: Sendable>: Sendable {
  let name: StaticString
  let about: StaticString
  var access = Access.admin
  /// The member of the result that has the elements.
  let member: StaticString
  var order: StaticString = ""
  let element: Schema
  /// Knows the limits in force, which a page must keep (`Limits.pageBytes`).
  let info: Reloadable<ServerInfo>
  /// Reads the elements after a position, in their order, or from the first element if the position is nil.
  let page: PageReader
  let position: @Sendable (Element) -> Position
  /// Writes an element as callers with this access may see it.
  let write: @Sendable (Element, Access, inout JSONWriter) -> Void

  /// Reads one page of elements, after a position.
  typealias PageReader =
    @Sendable (_ after: Position?, _ limit: Int) async throws(StoreFailure) -> Page<Position, Element>

  var method: Method { method([]) { _ in page } }

  /// - Parameters:
  ///   - filters: The parameters that select some of the elements.
  ///   - chosen: Returns the reader of the selected elements.
  func method(
    _ filters: [Parameter], _ chosen: @escaping @Sendable (borrowing Parameters) throws(RPCError) -> PageReader
  ) -> Method {
    Method(
      name, about, access: access, parameters: [Position.after, PageLimit.parameter] + filters,
      result: .object(.init(member, .array(element, order)), .init("next", Position.next, required: false)),
      errors: ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let after = try Position.read(parameters)
        let limit = try PageLimit.read(parameters)
        let page = try chosen(parameters)
        let access = session.access
        return { _ async in await OutcomeReplies.storing(reply(try await page(after, limit), access)) }
      })
  }

  private func reply(_ page: Page<Position, Element>, _ access: Access) -> Reply {
    .object { writer in
      let room = info.value.limits.pageBytes
      var count = 0
      writer.array(member) { writer in
        for element in page.elements where writer.count < room {
          write(element, access, &writer)
          count += 1
        }
      }
      guard page.hasMore || count < page.elements.count else { return }
      let isWhole = count == page.elements.count
      let end = (isWhole ? page.end : nil) ?? (count > 0 ? position(page.elements[count - 1]) : nil)
      end?.write(to: &writer)
    }
  }
}

extension Limits {
  /// A page ends after this many bytes, even if more elements were asked for, and the next page continues there. Otherwise the
  /// result would be `response.tooLarge`, each time at the same place. The last element, and the members beside the list, need
  /// the other half of the limit.
  var pageBytes: Int { responseBytes / 2 }
}

/// A position in a list: the `next` of a page, and the `after` of the call for the page that follows.
protocol ListPosition: Sendable {
  static var after: Parameter { get }
  static var next: Schema { get }
  /// The message for an `after` that is not a position.
  static var wrong: ParameterMessageKey { get }
  init?(_ after: JSONView)
  /// Writes the member `next`.
  func write(to writer: inout JSONWriter)
}

extension ListPosition {
  static var next: Schema { .string("The \"after\" for the next page; absent on the last page.") }

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> Self? {
    guard let view = parameters[after] else { return nil }
    guard let position = Self(view) else { throw .invalidParams(LocalizedMessage(wrong), field: "after") }
    return position
  }
}

extension ListPosition where Self: LosslessStringConvertible {
  init?(_ after: JSONView) {
    guard let text = after.string else { return nil }
    self.init(text)
  }

  func write(to writer: inout JSONWriter) { writer.member("next", description) }
}

extension AccountID: ListPosition {
  static let after = Parameter(
    "after", .string, required: false, "The value of \"next\" from the previous page; omit it for the first page.",
    .uuid)
  static let wrong = ParameterMessageKey.pageAfter
}

/// The parameter `limit`: the most elements of a page.
private enum PageLimit {
  static let parameter = Parameter(
    "limit", .integer, required: false, "The maximum number of entries on a page: 1 to 1000 (default: 100).",
    .between(1, 1000))
  private static let maximum = 1000

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> Int {
    guard let view = parameters[parameter] else { return 100 }
    guard let limit = view.integer, (1...maximum).contains(Int(limit)) else {
      throw .invalidParams(
        LocalizedMessage(ParameterMessageKey.pageLimit, ["maximum": .number(maximum)]), field: "limit")
    }
    return Int(limit)
  }
}
