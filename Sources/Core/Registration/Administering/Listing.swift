/// Lists for administrators, page by page.
extension Administrator {
  /// Returns accounts with their password hashes, in the order of their ids, starting after `after`.
  ///
  /// - Parameter state: The state of the accounts, or nil for accounts in any state.
  package func list(
    _ state: Account.State? = nil, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> Page<AccountID, StoredAccount> {
    let isWanted = { (stored: StoredAccount) in state == nil || stored.account.state == state }
    // stores have an index of the accounts in each state except `active`, because most accounts are active
    let indexed = state == .active ? nil : state
    return try await Page.searched(after: after, limit: limit, at: \.account.id, where: isWanted) {
      (after, limit) async throws(StoreFailure) in
      try await store.list(indexed, after: after, limit: limit)
    }
  }

  /// Returns members of a group, as `list` returns accounts.
  package func members(
    of group: GroupName, _ state: Account.State? = nil, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> Page<AccountID, StoredAccount> {
    let isInState = { (stored: StoredAccount) in state == nil || stored.account.state == state }
    if let state, state != .active {
      let members = try await store.members(of: group, after: after, limit: PageBounds.piece)
      guard members.count == PageBounds.piece else { return Page(members.filter(isInState), limit: limit) }
      // in a large group, there are usually fewer accounts in this state than members
      let isMember = { (stored: StoredAccount) in stored.account.groups.contains(group) }
      return try await Page.searched(after: after, limit: limit, at: \.account.id, where: isMember) {
        (after, limit) async throws(StoreFailure) in
        try await store.list(state, after: after, limit: limit)
      }
    }
    return try await Page.searched(after: after, limit: limit, at: \.account.id, where: isInState) {
      (after, limit) async throws(StoreFailure) in
      try await store.members(of: group, after: after, limit: limit)
    }
  }

  /// Returns groups in the order of their names, starting after `after`.
  package func groups(after: GroupName?, limit: Int) async throws(StoreFailure) -> Page<GroupName, CountedGroup> {
    try await store.groups(after: after, limit: limit, counting: PageBounds.counted)
  }

  /// Returns claims of addresses in the order of their ids, starting after `after`.
  package func claims(after: ClaimID?, limit: Int) async throws(StoreFailure) -> Page<ClaimID, AddressClaim> {
    Page(try await store.claims(after: after, limit: limit + 1, at: time.now()), limit: limit)
  }

  /// Returns audit entries in the order of their numbers, starting after `after`.
  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> Page<Int, AuditEntry> {
    Page(try await store.audit(after: after, limit: limit + 1), limit: limit)
  }

  /// Returns invitations in the order of their ids, starting after `after`. The store counts the uses of each invitation. The
  /// page therefore ends early after many uses, and the store reads few invitations at a time.
  package func invitations(
    after: InvitationID?, limit: Int
  ) async throws(StoreFailure) -> Page<InvitationID, CountedInvitation> {
    let now = time.now()
    var found: [CountedInvitation] = []
    var uses = 0
    repeat {
      let size = min(limit + 1 - found.count, Self.invitationsAtOnce)
      let piece = try await store.invitations(after: found.last?.invitation.id ?? after, limit: size, at: now)
      found += piece
      guard piece.count == size, found.count <= limit else { return Page(found, limit: limit) }
      uses += piece.reduce(0) { $0 + $1.used + $1.held }
    } while uses < PageBounds.counted
    return Page(elements: found, hasMore: true)
  }

  private static let invitationsAtOnce = 10
}
