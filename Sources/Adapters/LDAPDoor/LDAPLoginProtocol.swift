internal import Doors
internal import Reasons
internal import Registration

/// The server's side of LDAP version 3 on one connection (RFC 4511): as much as signing in and looking up one address or group
/// need.
struct LDAPLoginProtocol: LoginProtocol, Sendable {
  /// The most bytes of a message.
  static let longest = 65_536
  /// The most members of groups that a response lists.
  static let mostMembers = 1000

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
    case search(Int32, LDAPSearch, Directory.Sought)
    case compare(Int32, LDAPComparison, Directory.Sought)
  }

  private var directory: Directory
  private var searchers: Set<String>
  private let mayAlwaysSearch: Bool
  /// The signed-in account, or nil while the connection is anonymous.
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

  mutating func adopt(_ new: LDAPLoginProtocol) { (directory, searchers) = (new.directory, new.searchers) }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    do throws(Malformed) {
      if awaited == nil { awaited = try BER.messageLength(bytes, longest: Self.longest) }
      guard let length = awaited, length <= bytes.count else { return .unfinished }
      awaited = nil
      let request = try LDAPRequest(UnsafeRawBufferPointer(rebasing: bytes[..<length]), directory)
      return .message(length, heed(request))
    } catch {
      // the beginning of the next message is unknown, so the connection has to end
      return .message(bytes.count, Output(LDAPResult.noticeOfDisconnection, ends: true))
    }
  }

  private mutating func heed(_ request: LDAPRequest) -> Output {
    func reply(_ result: LDAPResult, _ response: UInt) -> Output { Output(result.message(request.id, response)) }
    switch request.operation {
    case .unbind: return .end
    // requests are answered one at a time, so the request that `abandon` names is already answered
    case .abandon: return .nothing
    case .bind(let version, let login):
      bound = nil
      if request.isControlled { return reply(.unknownControl, Tag.bindResponse) }
      return bind(request.id, version: version, login)
    case .search(let search):
      if request.isControlled { return reply(.unknownControl, Tag.searchResultDone) }
      return self.search(request.id, search)
    case .extended(let name, let hasValue):
      if request.isControlled { return reply(.unknownControl, Tag.extendedResponse) }
      return extended(request.id, name, hasValue: hasValue)
    case .compare(let comparison):
      if request.isControlled { return reply(.unknownControl, Tag.compareResponse) }
      return compare(request.id, comparison)
    case .change(let response):
      if request.isControlled { return reply(.unknownControl, response) }
      return reply(.unwilling("accounts are changed elsewhere"), response)
    case .refused(let response, let result): return reply(request.isControlled ? .unknownControl : result, response)
    }
  }

  private mutating func bind(_ id: Int32, version: Int32, _ login: Login?) -> Output {
    func reply(_ result: LDAPResult) -> Output { Output(result.message(id, Tag.bindResponse)) }
    guard version == 3 else { return reply(.protocolError("only version 3 is spoken")) }
    guard let login else { return reply(.otherMethod) }
    if login.name.isEmpty { return reply(login.password.isEmpty ? .success : .wrong("a password needs a name")) }
    // RFC 4513 §5.1.2: a program that forgets to ask for the password would take a success for a correct password
    if login.password.isEmpty { return reply(.unwilling("a name needs a password")) }
    asked = .bind(id, key: directory.key(String(decoding: login.name, as: UTF8.self)))
    return Output(asks: (0, .signIn(login)))
  }

  private mutating func extended(_ id: Int32, _ name: String, hasValue: Bool) -> Output {
    func reply(_ result: LDAPResult) -> Output { Output(result.message(id, Tag.extendedResponse)) }
    guard name == ExtendedName.whoAmI else { return reply(.protocolError("this operation is not known")) }
    guard !hasValue else { return reply(.protocolError("this operation has no value")) }
    guard let bound else { return Self.identity("", id) }
    asked = .whoAmI(id)
    return Output(asks: (0, .check(bound.account)))
  }

  private static func identity(_ name: String, _ id: Int32) -> Output {
    Output(LDAPResult.success.message(id, Tag.extendedResponse, (Tag.extendedResponseValue, name)))
  }

  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
    defer { asked = nil }
    // the connection is anonymous once the account, as it was at the bind, is gone
    if answer == .ended { bound = nil }
    switch asked {
    case .bind(let id, let key):
      if case .right(let account) = answer { bound = Bound(account: account, key: key) }
      return Output(Self.result(of: answer).message(id, Tag.bindResponse))
    case .whoAmI(let id):
      switch answer {
      case .found(let account): return Self.identity("dn:\(directory.name(ofPerson: account.name))", id)
      case .ended: return Self.identity("", id)
      case .away, .right, .wrong, .refused, .none, .groups:
        return Output(Self.result(of: answer).message(id, Tag.extendedResponse))
      }
    case .search(let id, let search, let sought): return found(answer, id, search, sought)
    case .compare(let id, let comparison, let sought): return compared(answer, id, comparison, sought)
    case nil: return .end
    }
  }

  /// The result of a bind, or of another request if the account could not be looked up.
  private static func result(of answer: DoorAnswer) -> LDAPResult {
    switch answer {
    case .right: .success
    case .wrong: .wrong()
    case .refused(let reason): .wrong(reason.name)
    case .away(let reason, _):
      switch reason.kind {
      case .limit: .busy(reason.name)
      case .credentials, .input, .refusal, .denial, .outage, .protocol: .unavailable(reason.name)
      }
    case .found, .none, .ended, .groups: .unavailable(ErrorReason.internal.name)
    }
  }
}

// MARK: - Looking up

extension LDAPLoginProtocol {
  /// The question for the entries that a client seeks, or nil if the client may see none of them.
  ///
  /// - Parameters:
  ///   - filter: What the client asks about the entries.
  ///   - listsMembers: Whether the response lists the members of groups.
  private func question(for sought: Directory.Sought, _ filter: Filter, listsMembers: Bool) -> DoorQuestion? {
    // unless every client of the connection may ask, the right to do so ends with the sign-in on which it rests
    let asker = mayAlwaysSearch ? nil : bound?.account
    switch sought {
    case .person(let address):
      return maySee(address) ? DoorQuestion.find(name: Array(address.utf8), asker: asker) : nil
    case .group where maySeeEverybody, .groups where maySeeEverybody:
      let query = directory.query(sought, filter, listsMembers: listsMembers, most: Self.mostMembers)
      return .groups(query, asker: asker)
    // an account sees the groups that it is in now, with itself as the only member
    case .group: return bound.map { DoorQuestion.check($0.account) }
    case .groups(let member): return maySee(member) ? bound.map { DoorQuestion.check($0.account) } : nil
    }
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

  /// The result for a client that may not see what it seeks: to such a client, a group does not exist.
  private static func refusal(of sought: Directory.Sought) -> LDAPResult {
    switch sought {
    case .person: others
    case .group, .groups: .noEntry
    }
  }

  /// The entries in an answer, with the result of the request, which is `noEntry` if there are no entries.
  private func entries(
    _ answer: DoorAnswer, _ sought: Directory.Sought, _ filter: Filter
  ) -> (entries: [Entry], result: LDAPResult) {
    switch (answer, sought) {
    case (.found(let account), .person(let address)):
      // the signed-in account's address may by now belong to another account, so the ids have to be equal
      guard maySeeEverybody || account.id == bound?.account.id else { return ([], Self.others) }
      return ([directory.entry(account, asked: address)], .success)
    case (.found(let account), .group(let name)):
      return own(account, account.groups.contains(name) ? [name] : [])
    case (.found(let account), .groups): return own(account, account.groups.names)
    case (.groups(let groups), _):
      // a reload can have ended the right meanwhile
      guard maySeeEverybody else { return ([], Self.refusal(of: sought)) }
      let found = directory.entries(groups, asked: directory.member(sought, filter))
      return (found, groups.isCut ? .tooMany : found.isEmpty ? .noEntry : .success)
    case (.none, _): return ([], .noEntry)
    case (.ended, _): return ([], Self.ended)
    case (.away, _), (.right, _), (.wrong, _), (.refused, _): return ([], Self.result(of: answer))
    }
  }

  /// The entries of groups as their member sees them.
  private func own(_ account: DoorAccount, _ names: [GroupName]) -> (entries: [Entry], result: LDAPResult) {
    let groups = DoorGroups(names.map { DoorGroup($0, members: [account.name]) }, member: account)
    return (directory.entries(groups, asked: bound?.key), names.isEmpty ? .noEntry : .success)
  }
}

// MARK: - Searches

extension LDAPLoginProtocol {
  private mutating func search(_ id: Int32, _ search: LDAPSearch) -> Output {
    func done(_ result: LDAPResult) -> Output { Output(result.message(id, Tag.searchResultDone)) }
    if search.base == DistinguishedName(), search.scope == .base { return told([directory.root], id, search) }
    switch directory.place(of: search.base) {
    case .elsewhere: return done(.noEntry)
    case .entry(let sought):
      // there are no entries below this one
      guard search.scope == .base || search.scope == .subtree else { return done(.success) }
      return look(for: sought, id, search)
    case .groups where search.scope == .base: return told([], id, search)
    case .base where search.scope == .base: return done(.noEntry)
    case .base, .groups:
      switch directory.reach(search) {
      case .nobody: return told([], id, search)
      case .one(let sought): return look(for: sought, id, search)
      case .many:
        return done(
          .unwilling("a search is for one address, in mail, uid or cn, or for groups by one cn or member"))
      }
    }
  }

  private mutating func look(for sought: Directory.Sought, _ id: Int32, _ search: LDAPSearch) -> Output {
    let listsMembers = search.selection.hasValues(of: .member)
    guard let question = question(for: sought, search.filter, listsMembers: listsMembers) else {
      return told([], id, search, Self.refusal(of: sought))
    }
    asked = .search(id, search, sought)
    return Output(asks: (0, question))
  }

  private func found(_ answer: DoorAnswer, _ id: Int32, _ search: LDAPSearch, _ sought: Directory.Sought) -> Output {
    let (found, result) = entries(answer, sought, search.filter)
    return told(found, id, search, result)
  }

  /// The response with those of these entries, and of the entry above the groups, that satisfy the filter.
  private func told(
    _ entries: [Entry], _ id: Int32, _ search: LDAPSearch, _ result: LDAPResult = .success
  ) -> Output {
    let namesOne = if case .entry = directory.place(of: search.base) { true } else { false }
    var result = result == .noEntry && !namesOne ? .success : result
    guard result == .success || result == .tooMany else { return Output(result.message(id, Tag.searchResultDone)) }
    var found = directory.hasContainer(search) ? [directory.container] : []
    found = (found + entries).filter { $0.satisfies(search.filter) == true }
    if search.mostEntries > 0, found.count > search.mostEntries {
      found = Array(found.prefix(search.mostEntries))
      result = .tooMany
    }
    return Output(found.flatMap { $0.message(id, search.selection) } + result.message(id, Tag.searchResultDone))
  }
}

// MARK: - Comparisons

extension LDAPLoginProtocol {
  private mutating func compare(_ id: Int32, _ comparison: LDAPComparison) -> Output {
    func reply(_ result: LDAPResult) -> Output { Output(result.message(id, Tag.compareResponse)) }
    if comparison.entry == DistinguishedName() { return reply(Self.result(of: comparison, with: directory.root)) }
    switch directory.place(of: comparison.entry) {
    case .base, .elsewhere: return reply(.noEntry)
    case .groups: return reply(Self.result(of: comparison, with: directory.container))
    case .entry(let sought):
      guard let question = question(for: sought, comparison.filter, listsMembers: false) else {
        return reply(Self.refusal(of: sought))
      }
      asked = .compare(id, comparison, sought)
      return Output(asks: (0, question))
    }
  }

  private func compared(
    _ answer: DoorAnswer, _ id: Int32, _ comparison: LDAPComparison, _ sought: Directory.Sought
  ) -> Output {
    let (found, result) = entries(answer, sought, comparison.filter)
    let compared = found.first.map { Self.result(of: comparison, with: $0) } ?? result
    return Output(compared.message(id, Tag.compareResponse))
  }

  private static func result(of comparison: LDAPComparison, with entry: Entry) -> LDAPResult {
    guard let type = comparison.type, entry.satisfies(.present(type)) == true else { return .noAttribute }
    return entry.satisfies(comparison.filter) == true ? .compareTrue : .compareFalse
  }
}
