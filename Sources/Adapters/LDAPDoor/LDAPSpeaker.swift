internal import Doors
internal import JSONRPC
internal import Registration

/// The server's side of LDAP version 3 on one connection (RFC 4511): as much as signing in and looking up one address
/// need.
struct LDAPSpeaker: Speaker, Sendable {
  /// The most bytes of a message.
  static let longest = 65_536

  /// The account that has signed in on the connection.
  private struct Bound: Sendable {
    let account: DoorAccount
    /// The address that was typed at the bind, in the form of `Directory.key`.
    let key: String
  }

  /// The client's request that waits for regd's answer.
  private enum Asked: Sendable {
    case bind(Int32, key: String)
    case whoAmI(Int32)
    case search(Int32, LDAPSearch, address: String)
    case compare(Int32, LDAPComparison, address: String)
  }

  private var directory: Directory
  private var searchers: Set<String>
  private let mayAlwaysSearch: Bool
  /// The signed-in account; nil while the connection is anonymous.
  private var bound: Bound?
  private var asked: Asked?
  /// The length of the begun message, once known, so that a message that drips in is not parsed again for each byte.
  private var awaited: Int?

  /// - Parameters:
  ///   - searchers: The names of accounts that may look up others after they have signed in (bound).
  ///   - mayAlwaysSearch: Whether any client of this connection may look up any account.
  init(_ directory: Directory, searchers: Set<String>, mayAlwaysSearch: Bool) {
    (self.directory, self.searchers, self.mayAlwaysSearch) = (directory, searchers, mayAlwaysSearch)
  }

  mutating func adopt(_ new: LDAPSpeaker) { (directory, searchers) = (new.directory, new.searchers) }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    do throws(Malformed) {
      if awaited == nil { awaited = try BER.messageLength(bytes, longest: Self.longest) }
      guard let length = awaited, length <= bytes.count else { return .unfinished }
      awaited = nil
      let request = try LDAPRequest(UnsafeRawBufferPointer(rebasing: bytes[..<length]), directory)
      return .message(length, heed(request))
    } catch {
      // the beginning of the next message is unknown, so the connection has to end
      return .message(bytes.count, Said(LDAPResult.noticeOfDisconnection, ends: true))
    }
  }

  private mutating func heed(_ request: LDAPRequest) -> Said {
    func said(_ result: LDAPResult, _ response: UInt) -> Said { Said(result.message(request.id, response)) }
    switch request.operation {
    case .unbind: return .end
    // requests are answered one at a time, so the request that `abandon` names is already answered
    case .abandon: return .nothing
    case .bind(let version, let login):
      bound = nil
      if request.isControlled { return said(.unknownControl, Tag.bindResponse) }
      return bind(request.id, version: version, login)
    case .search(let search):
      if request.isControlled { return said(.unknownControl, Tag.searchResultDone) }
      return self.search(request.id, search)
    case .extended(let name, let hasValue):
      if request.isControlled { return said(.unknownControl, Tag.extendedResponse) }
      return extended(request.id, name, hasValue: hasValue)
    case .compare(let comparison):
      if request.isControlled { return said(.unknownControl, Tag.compareResponse) }
      return compare(request.id, comparison)
    case .change(let response):
      if request.isControlled { return said(.unknownControl, response) }
      return said(.unwilling("accounts are changed elsewhere"), response)
    case .refused(let response, let result): return said(request.isControlled ? .unknownControl : result, response)
    }
  }

  private mutating func bind(_ id: Int32, version: Int32, _ login: Login?) -> Said {
    func said(_ result: LDAPResult) -> Said { Said(result.message(id, Tag.bindResponse)) }
    guard version == 3 else { return said(.protocolError("only version 3 is spoken")) }
    guard let login else { return said(.otherMethod) }
    if login.name.isEmpty { return said(login.password.isEmpty ? .success : .wrong("a password needs a name")) }
    // RFC 4513 §5.1.2: a program that forgets to ask for the password would take a success for a correct password
    if login.password.isEmpty { return said(.unwilling("a name needs a password")) }
    asked = .bind(id, key: directory.key(String(decoding: login.name, as: UTF8.self)))
    return Said(asks: (0, .signIn(login)))
  }

  private mutating func extended(_ id: Int32, _ name: String, hasValue: Bool) -> Said {
    func said(_ result: LDAPResult) -> Said { Said(result.message(id, Tag.extendedResponse)) }
    guard name == ExtendedName.whoAmI else { return said(.protocolError("this operation is not known")) }
    guard !hasValue else { return said(.protocolError("this operation has no value")) }
    guard let bound else { return Self.identity("", id) }
    asked = .whoAmI(id)
    return Said(asks: (0, .check(bound.account)))
  }

  private static func identity(_ name: String, _ id: Int32) -> Said {
    Said(LDAPResult.success.message(id, Tag.extendedResponse, (Tag.extendedResponseValue, name)))
  }

  mutating func say(_ answer: DoorAnswer, to number: Int) -> Said {
    defer { asked = nil }
    // the connection is anonymous once the account, as it was at the bind, is gone
    if answer == .ended { bound = nil }
    switch asked {
    case .bind(let id, let key):
      if case .right(let account) = answer { bound = Bound(account: account, key: key) }
      return Said(Self.result(of: answer).message(id, Tag.bindResponse))
    case .whoAmI(let id):
      switch answer {
      case .found(let account): return Self.identity("dn:\(directory.name(of: account))", id)
      case .ended: return Self.identity("", id)
      case .away, .right, .wrong, .refused, .none:
        return Said(Self.result(of: answer).message(id, Tag.extendedResponse))
      }
    case .search(let id, let search, let address): return found(answer, id, search, address)
    case .compare(let id, let comparison, let address): return compared(answer, id, comparison, address)
    case nil: return .end
    }
  }

  /// The result of a bind; or of another request if the account could not be looked up.
  private static func result(of answer: DoorAnswer) -> LDAPResult {
    switch answer {
    case .right: .success
    case .wrong: .wrong()
    case .refused(let reason): .wrong(reason)
    case .away(let reason, _):
      [ErrorReason.busy.name, ErrorReason.rateLimited.name].contains(reason) ? .busy(reason) : .unavailable(reason)
    case .found, .none, .ended: .unavailable(ErrorReason.internal.name)
    }
  }
}

// MARK: - Searches

extension LDAPSpeaker {
  private mutating func search(_ id: Int32, _ search: LDAPSearch) -> Said {
    func done(_ result: LDAPResult) -> Said { Said(result.message(id, Tag.searchResultDone)) }
    if search.base == DistinguishedName(), search.scope == .base { return Said(told(directory.root, id, search)) }
    switch directory.place(of: search.base) {
    case .elsewhere: return done(.noEntry)
    case .person(let address):
      // a person's entry has no entries below it
      guard search.scope == .base || search.scope == .subtree else { return done(.success) }
      return look(up: address, id, search)
    case .base:
      guard search.scope != .base else { return done(.noEntry) }
      switch directory.reach(search.filter) {
      case .nobody: return done(.success)
      case .one(let address): return look(up: address, id, search)
      case .many: return done(.unwilling("a search is for one address, in mail, uid or cn"))
      }
    }
  }

  private mutating func look(up address: String, _ id: Int32, _ search: LDAPSearch) -> Said {
    guard maySee(address) else { return Said(Self.others.message(id, Tag.searchResultDone)) }
    asked = .search(id, search, address: address)
    return Said(asks: (0, find(address)))
  }

  /// The question for an account. Unless every client of the connection may ask it, the right to ask ends with the
  /// sign-in that gave it.
  private func find(_ address: String) -> DoorQuestion {
    .find(name: Array(address.utf8), asker: mayAlwaysSearch ? nil : bound?.account)
  }

  private var maySeeEverybody: Bool {
    mayAlwaysSearch || bound.map { searchers.contains($0.account.name) } ?? false
  }

  private func maySee(_ address: String) -> Bool {
    if maySeeEverybody { return true }
    guard let bound else { return false }
    let key = directory.key(address)
    return key == bound.key || key == bound.account.name.folded
  }

  private static let others = LDAPResult.unwilling("an account may look up only itself")
  private static let ended = LDAPResult.unwilling("the bind is no longer valid; bind again")

  private func found(_ answer: DoorAnswer, _ id: Int32, _ search: LDAPSearch, _ address: String) -> Said {
    switch answer {
    // the signed-in account's address may by now belong to another account, so the ids have to be equal
    case .found(let account) where !maySeeEverybody && account.id != bound?.account.id:
      return Said(Self.others.message(id, Tag.searchResultDone))
    case .found(let account): return Said(told(directory.entry(account, asked: address), id, search))
    case .none:
      let isNamed = directory.place(of: search.base) != .base
      return Said((isNamed ? LDAPResult.noEntry : .success).message(id, Tag.searchResultDone))
    case .ended: return Said(Self.ended.message(id, Tag.searchResultDone))
    case .away, .right, .wrong, .refused:
      return Said(Self.result(of: answer).message(id, Tag.searchResultDone))
    }
  }

  private func told(_ entry: Entry, _ id: Int32, _ search: LDAPSearch) -> [UInt8] {
    let message = entry.satisfies(search.filter) == true ? entry.message(id, search.selection) : []
    return message + LDAPResult.success.message(id, Tag.searchResultDone)
  }
}

// MARK: - Comparisons

extension LDAPSpeaker {
  private mutating func compare(_ id: Int32, _ comparison: LDAPComparison) -> Said {
    func said(_ result: LDAPResult) -> Said { Said(result.message(id, Tag.compareResponse)) }
    if comparison.entry == DistinguishedName() { return said(Self.result(of: comparison, with: directory.root)) }
    guard case .person(let address) = directory.place(of: comparison.entry) else { return said(.noEntry) }
    guard maySee(address) else { return said(Self.others) }
    asked = .compare(id, comparison, address: address)
    return Said(asks: (0, find(address)))
  }

  private func compared(_ answer: DoorAnswer, _ id: Int32, _ comparison: LDAPComparison, _ address: String) -> Said {
    let result: LDAPResult =
      switch answer {
      case .found(let account) where !maySeeEverybody && account.id != bound?.account.id: Self.others
      case .found(let account): Self.result(of: comparison, with: directory.entry(account, asked: address))
      case .none: .noEntry
      case .ended: Self.ended
      case .away, .right, .wrong, .refused: Self.result(of: answer)
      }
    return Said(result.message(id, Tag.compareResponse))
  }

  private static func result(of comparison: LDAPComparison, with entry: Entry) -> LDAPResult {
    guard let type = comparison.type, entry.satisfies(.present(type)) == true else { return .noAttribute }
    return entry.satisfies(.equal(type, comparison.value)) == true ? .compareTrue : .compareFalse
  }
}
