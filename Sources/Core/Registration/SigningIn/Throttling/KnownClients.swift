/// The clients (uid and origin) from which the owner of an account has registered, proven the address, recovered or
/// signed in.
///
/// Users share the table's room, so that no user takes all of it. An account with `perAccount` clients, or with
/// `perAccountWhenFull` in a full table, drops its least recently used client for a new one. For any other account, a
/// full table makes room at the cost of the user with the most clients: it drops that user's least recently used client
/// at the account where the user has the most.
struct KnownClients: Sendable {
  /// The most clients of one account. `perAccountWhenFull` is the limit when the table is full.
  static let perAccount = 16
  static let perAccountWhenFull = 4

  private struct OfAccount {
    /// The clients, least recently used first.
    var clients: [KnownClient] = []
    /// When administrators were last notified that passwords are tried for the account.
    var told: Moment?

    func index(_ client: SignInAttempt.ShareHash) -> Int? { clients.firstIndex { $0.client == client } }
  }

  fileprivate struct OfUser {
    var count = 0
    /// The user's number of clients at each account. The first is the account with the most clients, or of several such
    /// accounts the one least recently used.
    var accounts = RankedTable<UInt64, Int>()
  }

  private let capacity: Int
  private(set) var count = 0
  private var accounts: [UInt64: OfAccount] = [:]
  /// The users by their number of clients. The first has the most.
  private var users = RankedTable<UInt32, OfUser>()

  /// - Parameter capacity: At least 1.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  subscript(key: SignInAttempt.Key) -> KnownClient? {
    guard let account = accounts[key.account] else { return nil }
    return account.index(key.client).map { account.clients[$0] }
  }

  /// Grows with each change that is worth keeping over a restart.
  private(set) var edition = 0
  /// The changes since the last call of `kept`.
  private var changes = ClientChanges()

  /// Whether `takeChanges` would return anything.
  var hasChanges: Bool { !changes.waiting.isEmpty }

  /// The clients that count after a restart, of each account least recently used first. From then on, `takeChanges`
  /// returns later changes only.
  mutating func kept(at now: Moment) -> [ClientChange] {
    changes = ClientChanges()
    return accounts.flatMap { account, known in
      known.clients.lazy.filter { now - $0.used < KnownClient.day }.map { ClientChange.known($0, account: account) }
    }
  }

  /// The changes since the last call of this function or of `kept`, within the limits of `ClientChanges`. First come those
  /// by which clients become unknown, because the others have the state after all changes.
  mutating func takeChanges() -> [ClientChange] {
    var (forgotten, gone, known): ([ClientChange], [ClientChange], [ClientChange]) = ([], [], [])
    for change in changes.take() {
      switch change {
      case .forgotten(let account): forgotten.append(.forgotten(account: account))
      case .client(let key):
        if let client = self[key] {
          known.append(.known(client, account: key.account))
        } else {
          gone.append(.gone(key))
        }
      }
    }
    return forgotten + gone + known
  }

  /// Takes over the changes that were kept over a restart.
  mutating func restore(_ changes: [ClientChange]) {
    for change in changes {
      switch change {
      case .known(let client, let account):
        // this change replaces an earlier one of the same client
        remove(SignInAttempt.Key(account: account, client: client.client))
        add(client, of: account, at: 0)
      case .gone(let key): remove(key)
      case .forgotten(let account): removeAll(of: account)
      }
    }
  }

  /// Notes that the owner has used this client. Makes room for a new client if necessary.
  mutating func know(_ key: SignInAttempt.Key, trace: UInt16?, of account: AccountID?, at now: Moment) {
    if let index = accounts[key.account]?.index(key.client),
      var client = accounts[key.account]?.clients.remove(at: index)
    {
      // the address may belong to another account by now
      let isOfOther = account != nil && account != client.account
      let isWorthKeeping = isOfOther || now - client.used > KnownClient.day / 24
      client.used = now
      client.trace = trace
      client.account = account ?? client.account
      accounts[key.account]?.clients.append(client)
      rank(key, change: 0, at: now)
      if isWorthKeeping { note(key) }
      return
    }
    let removed = add(
      KnownClient(client: key.client, trace: trace, account: account, used: now), of: key.account, at: now)
    note(key, insteadOf: removed)
  }

  /// - Parameter removed: As in `ClientChanges.note`.
  private mutating func note(_ key: SignInAttempt.Key, insteadOf removed: SignInAttempt.Key? = nil) {
    edition += 1
    changes.note(known: key, insteadOf: removed)
  }

  /// Adds a client that is not known yet. Makes room for it if necessary.
  ///
  /// - Returns: The client that has made room for it, or nil if there was room.
  @discardableResult
  private mutating func add(_ client: KnownClient, of account: UInt64, at now: Moment) -> SignInAttempt.Key? {
    let own = accounts[account]?.clients.count ?? 0
    var removed: SignInAttempt.Key?
    if own >= Self.perAccount || own >= Self.perAccountWhenFull && count >= capacity {
      removed = remove(0, of: account)
    } else if count >= capacity {
      removed = makeRoom()
    }
    accounts[account, default: OfAccount()].clients.append(client)
    count += 1
    rank(SignInAttempt.Key(account: account, client: client.client), change: 1, at: now)
    return removed
  }

  /// Changes the entry of a client. Does nothing if the client is not known.
  mutating func change(_ key: SignInAttempt.Key, _ body: (inout KnownClient) -> Void) {
    guard let index = accounts[key.account]?.index(key.client) else { return }
    if var client = accounts[key.account]?.clients[index] {
      let (bar, counted) = (client.barredUntil, client.counted)
      body(&client)
      accounts[key.account]?.clients[index] = client
      if client.barredUntil != bar {
        note(key)
      } else if client.counted != counted {
        // The next whole write of the file contains the count. An addition for each wrong password would use up quotas.
        edition += 1
      }
    }
  }

  mutating func forget(_ key: SignInAttempt.Key) {
    if remove(key) { changes.note(gone: key) }
  }

  mutating func forget(account: UInt64) {
    guard accounts[account] != nil else { return }
    removeAll(of: account)
    changes.note(forgotten: account)
  }

  /// Whether administrators have to be notified now that passwords were tried for the account from a known client. If
  /// true, notes that they were notified, and returns false for a day.
  mutating func isNews(_ account: UInt64, at now: Moment) -> Bool {
    guard let known = accounts[account], known.told.map({ now - $0 >= KnownClient.day }) ?? true else { return false }
    accounts[account]?.told = now
    return true
  }

  /// Withdraws `isNews`, because administrators could not be notified.
  mutating func isNewsAgain(_ account: UInt64) { accounts[account]?.told = nil }

  /// - Returns: The client that was removed.
  private mutating func makeRoom() -> SignInAttempt.Key? {
    guard let user = users.first?.key, let account = users[user]?.accounts.first?.key,
      let index = accounts[account]?.clients.firstIndex(where: { $0.client.uid == user })
    else { return nil }
    return remove(index, of: account)
  }

  private mutating func removeAll(of account: UInt64) {
    while accounts[account] != nil { remove(0, of: account) }
  }

  /// - Returns: Whether the client was known.
  @discardableResult
  private mutating func remove(_ key: SignInAttempt.Key) -> Bool {
    guard let index = accounts[key.account]?.index(key.client) else { return false }
    remove(index, of: key.account)
    return true
  }

  /// - Returns: The client that was removed.
  @discardableResult
  private mutating func remove(_ index: Int, of account: UInt64) -> SignInAttempt.Key? {
    guard let client = accounts[account]?.clients.remove(at: index).client else { return nil }
    let key = SignInAttempt.Key(account: account, client: client)
    if accounts[account]?.clients.isEmpty ?? true { accounts[account] = nil }
    count -= 1
    edition += 1
    rank(key, change: -1, at: nil)
    return key
  }

  /// Updates the user's rank, and the account's rank among the user's accounts.
  ///
  /// - Parameter now: When the client was used, or nil if it was removed.
  private mutating func rank(_ key: SignInAttempt.Key, change: Int, at now: Moment?) {
    if users[key.client.uid] == nil { users.set(key.client.uid, OfUser(), rank: 0) }
    var isEmpty = false
    users.change(key.client.uid) { user in
      user.count += change
      isEmpty = user.count == 0
      user.rank(key.account, change: change, at: now)
      return -Int64(user.count)
    }
    if isEmpty { users.remove(key.client.uid) }
  }
}

extension KnownClients.OfUser {
  fileprivate mutating func rank(_ account: UInt64, change: Int, at now: Moment?) {
    // the number of clients decides first, so the moment occupies the lower bits
    let moments = Int64(1) << 48
    let (number, used) = (accounts[account] ?? 0, accounts.rank(account) ?? 0)
    guard number + change > 0 else { return accounts.remove(account) }
    let last = now ?? used % moments
    accounts.set(
      account, number + change, rank: Int64(KnownClients.perAccount - number - change) * moments + last)
  }
}

/// A client that the owner of an account has used, and the wrong passwords from there.
struct KnownClient: Sendable {
  /// A day in milliseconds.
  static let day: Moment = 24 * 60 * 60 * 1000
  /// With more than this many wrong passwords within a day, the client counts as a stranger's.
  static let mostWrong = 1000

  let client: SignInAttempt.ShareHash
  /// The trace of the last correct password from this client, or a decoy (`SignInAttempt.decoy`) if regd has compared
  /// none. Nil if the client was kept over a restart, because no trace is ever written down. In that case, any password
  /// may be the correct one.
  var trace: UInt16?
  /// The owner's account, if known. The address may belong to another account by now.
  var account: AccountID?
  /// The last wrong passwords, hashed or refused without hashing, so that a repeat is not counted again.
  private var wrong = RecentMarks()
  /// The numbers of wrong passwords in slices of three hours. The present slice is at `slice % 9`.
  private var counts = InlineArray<9, UInt16>(repeating: 0)
  private var slice: Moment = 0
  /// When the owner last used this client. Negative if that was before this process.
  fileprivate(set) var used: Moment
  /// Until this moment the client counts as a stranger's.
  private(set) var barredUntil: Moment = 0

  init(client: SignInAttempt.ShareHash, trace: UInt16?, account: AccountID?, used: Moment) {
    self.client = client
    self.trace = trace
    self.account = account
    self.used = used
  }

  /// A client that was kept over a restart.
  ///
  /// - Parameter wrong: The wrong passwords that still count.
  init(client: SignInAttempt.ShareHash, account: AccountID?, used: Moment, wrong: UInt16, barredUntil: Moment) {
    self.init(client: client, trace: nil, account: account, used: used)
    counts[0] = wrong
    self.barredUntil = barredUntil
  }

  /// The wrong passwords within the last day.
  func wrong(at now: Moment) -> UInt16 {
    let passed = now / (Self.day / 8) - slice
    guard passed < 9 else { return 0 }
    // the slices that will be reused first are those that are too old
    return counts.indices.reduce(UInt16(0)) { sum, index in
      let age = (slice + 9 - Moment(index)) % 9 + passed
      return age < 9 ? sum &+ counts[index] : sum
    }
  }

  /// The wrong passwords in all slices.
  fileprivate var counted: Int { counts.indices.reduce(0) { $0 + Int(counts[$1]) } }

  /// Whether the client counts as a stranger's, because too much was guessed from it.
  func isBarred(at now: Moment) -> Bool { now < barredUntil }

  /// Counts a password that the caller now knows to be wrong, because it was compared, or refused during a wait. The
  /// first one beyond `mostWrong` bars the client for a day.
  mutating func count(_ mark: UInt16, at now: Moment) {
    guard !isBarred(at: now), !wrong.contains(mark) else { return }
    wrong.insert(mark)
    let current = now / (Self.day / 8)
    for passed in 0..<min(9, current - slice) { counts[Int((current - passed) % 9)] = 0 }
    slice = current
    counts[Int(slice % 9)] += 1
    guard counted > Self.mostWrong else { return }
    barredUntil = now + Self.day
    counts = InlineArray(repeating: 0)
  }
}
