/// Remembers refused sign-ins for two seconds. A program that repeats a sign-in to find out the kind of refusal gets
/// the same answer without a hash, a count or a wait. A PAM stack (`regctl pam`) repeats sign-ins for this purpose,
/// because it reduces a command's exit status to one code.
///
/// The caller reads the account again, and an entry is valid only while the account has the same hash, state and groups. An
/// entry keeps only 64 bits of a hash of uid, origin, address, required groups and password.
struct RecentRefusals: Sendable {
  /// The mark of an entry is a hash of the account's state at that time, and of whether the password was wrong.
  private let memory: KeyedMemory

  init(_ memory: KeyedMemory = KeyedMemory(milliseconds: 2000)) { self.memory = memory }

  /// - Parameters:
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - found: The account with that address, or nil if there is no account.
  func note(
    _ refusal: SignInRefusal, to share: Share, at account: String, _ password: Password,
    requiring groups: GroupRequirement = GroupRequirement(), of found: StoredAccount?
  ) {
    memory.note(key(share, account, password, groups), mark: mark(of: found, isWrong: refusal == .rejected))
  }

  /// Whether an equal sign-in was refused a moment ago, so that it is worth reading the account.
  func mayKnow(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement()
  ) -> Bool {
    memory[key(share, account, password, groups)] != nil
  }

  /// - Parameter found: The account as it is now, or nil if there is no account.
  /// - Returns: The refusal, or nil if there was no refusal, or if the account has changed since.
  func outcome(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement(),
    of found: StoredAccount?
  ) -> SignInOutcome? {
    guard let mark = memory[key(share, account, password, groups)] else { return nil }
    if mark == self.mark(of: found, isWrong: true) { return .refused(.rejected) }
    guard mark == self.mark(of: found, isWrong: false) else { return nil }
    return found.map { SignInOutcome(toOwnerOf: $0.account).requiring(groups) }
  }

  private func key(
    _ share: Share, _ account: String, _ password: Password, _ groups: GroupRequirement
  ) -> UInt64 {
    memory.key(
      password, [share.origin?.text ?? "", account, groups.text],
      UInt64(share.uid ?? .max) << 1 | (share.origin == nil ? 0 : 1))
  }

  private func mark(of found: StoredAccount?, isWrong: Bool) -> UInt64 {
    let text = found.map {
      "\($0.account.id) \($0.account.state.rawValue) \($0.passwordHash.phc) \($0.account.groups.stored ?? "")"
    }
    return memory.print(text ?? "", after: isWrong ? 1 : 0)
  }
}
