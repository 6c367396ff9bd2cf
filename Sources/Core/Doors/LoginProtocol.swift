package import LoginVerdicts
package import Reasons
package import Registration
internal import WireFormats
internal import WireProtocols

/// A door's protocol on one connection, as a pure state machine: bytes and answers in, bytes and questions out. It does no I/O
/// and reads no clock. `DoorSession` holds the bytes, and asks the questions.
package protocol LoginProtocol {
  /// Whether several questions of a connection may be in flight. Otherwise the next message waits for the answer.
  static var isConcurrent: Bool { get }

  /// Whether `receive` has taken the beginning of a message, but not its end, for example because it skips a body in
  /// parts.
  var isMidMessage: Bool { get }

  /// The first bytes, if the server sends first.
  mutating func greet() -> [UInt8]

  /// Takes one complete message, or a part of an incomplete message if the part need not be held until the message
  /// ends. The effect is the same however the bytes are split.
  ///
  /// - Parameter bytes: All bytes that have arrived and were not taken, at least one.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received

  /// Writes the answer to a question.
  ///
  /// - Parameter number: The question's number, from `Output.question`.
  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output

  /// Takes the settings of a new protocol of the same door after a reload has changed them. The state of the connection
  /// remains.
  mutating func adopt(_ new: Self)
}

extension LoginProtocol {
  package static var isConcurrent: Bool { false }
  package var isMidMessage: Bool { false }
  package mutating func greet() -> [UInt8] { [] }
  package mutating func adopt(_ new: Self) {}
}

/// The result of taking bytes.
package enum Received {
  /// The message is incomplete.
  case unfinished
  /// This many bytes, at least one, of an incomplete message, and the reply to send meanwhile. All parts count as one message
  /// with one time limit.
  case part(Int, [UInt8] = [])
  /// A message of this many bytes, at least one.
  case message(Int, Output)
}

/// A protocol's output: bytes, and perhaps a question.
package struct Output {
  package var bytes: [UInt8]
  /// A question, with a number that is unique among the questions whose answers the protocol awaits.
  package var question: (number: Int, DoorQuestion)?
  /// Whether the protocol takes no more input. Then the connection sends the rest of the output, and closes once the
  /// caller has closed too.
  package var ends: Bool

  package init(_ bytes: [UInt8] = [], asks question: (number: Int, DoorQuestion)? = nil, ends: Bool = false) {
    (self.bytes, self.question, self.ends) = (bytes, question, ends)
  }

  package static let nothing = Output()
  /// Ends the connection without a reply, which programs take for a temporary failure.
  package static let end = Output(ends: true)

  package static func text(_ text: String, ends: Bool = false) -> Output { Output(Array(text.utf8), ends: ends) }
}

/// A name and a password, as a program sent them to a door.
package struct Login: Sendable {
  /// UTF-8, unless the program made a mistake.
  package let name: [UInt8]
  /// The domain for a name without an @. Empty if the program sends no realm.
  package let realm: [UInt8]
  /// As the program sent it: not validated, not normalized (NFC). Wiped when its last reference is released.
  package let password: Password
  /// The origin that the program names. Empty if it names none. The origin may be too long for an `Origin`:
  /// `LoginName` cuts it.
  package let origin: [UInt8]

  /// - Parameter password: The password, which the login takes over.
  package init(name: [UInt8], realm: [UInt8] = [], password: consuming [UInt8], origin: [UInt8] = []) {
    (self.name, self.realm, self.origin) = (name, realm, origin)
    self.password = Password(utf8: password)
  }
}

/// A question of a door's protocol, which the daemon answers.
package enum DoorQuestion: Sendable {
  /// Asks whether the credentials of a login are correct. The answer has a `LoginVerdict`.
  case signIn(Login)
  /// Asks whether an address has an account. The answer is `found`, `none` or `away`.
  ///
  /// - Parameter asker: The signed-in account whose right the question needs. The answer is `ended` if that sign-in has
  ///   ended in the meantime. Nil if the question needs no right.
  case find(name: [UInt8], asker: DoorAccount? = nil)
  /// Asks whether a sign-in of this connection is still valid. The answer is `found` with the account, `ended` or `away`.
  case check(DoorAccount)
  /// Asks for groups. The answer is `groups`, `ended` or `away`.
  ///
  /// - Parameter asker: As for `find`.
  case groups(GroupQuery, asker: DoorAccount? = nil)
}

/// A question for one group, or for the groups of one account.
package struct GroupQuery: Equatable, Sendable {
  /// Nil for the groups of `member`.
  package let name: GroupName?
  /// The name of the account that the answer should include, or nil for no account.
  package let member: [UInt8]?
  /// The most members that the answer lists, of all groups together. With 0, regd only finds out whether the group
  /// exists.
  package let mostMembers: Int

  package init(name: GroupName? = nil, member: [UInt8]? = nil, mostMembers: Int) {
    (self.name, self.member, self.mostMembers) = (name, member, mostMembers)
  }
}

/// The answer to a question. Doors switch over it without a default, so each door handles every answer.
package enum DoorAnswer: Equatable, Sendable {
  case right(DoorAccount)
  case wrong
  /// - Parameter reason: The error, such as `account.disabled`.
  case refused(reason: ErrorReason)
  /// - Parameters:
  ///   - reason: The error, such as `store.unavailable`.
  ///   - retryAfter: In seconds, or nil if unknown.
  case away(reason: ErrorReason, retryAfter: Int? = nil)
  /// An account that was found. Answers only `find`.
  case found(DoorAccount)
  /// No account has the address, or the text is not an address. Answers only `find`.
  case none
  /// The sign-in has ended, because its account was disabled, deleted or signed out, or has another password or
  /// address. Answers only `check`, and `find` and `groups` with an asker.
  case ended
  /// The groups that exist. Answers only `groups`.
  case groups(DoorGroups)

  /// The verdict on a login, or nil for the answers to `find`, `check` and `groups`.
  package var verdict: LoginVerdict? {
    switch self {
    case .right: .right
    case .wrong: .wrong
    case .refused: .refused
    case .away: .away
    case .found, .none, .ended, .groups: nil
    }
  }
}

/// The answer to a `GroupQuery`.
package struct DoorGroups: Equatable, Sendable {
  /// In the order of their names.
  package var groups: [DoorGroup]
  /// The account that the query names, whether it is in these groups or not. Nil if the query names no account, or no
  /// account has the name.
  package let member: DoorAccount?
  /// Whether there are more members than the query asks for. The list of the last group is then incomplete, and groups after it
  /// are missing.
  package var isCut: Bool

  package init(_ groups: [DoorGroup] = [], member: DoorAccount? = nil, isCut: Bool = false) {
    (self.groups, self.member, self.isCut) = (groups, member, isCut)
  }
}

/// A group as doors report it to programs.
package struct DoorGroup: Equatable, Sendable {
  package let name: GroupName
  /// The names (`DoorAccount.name`) of the listed members, in every state.
  package let members: [String]

  package init(_ name: GroupName, members: [String] = []) { (self.name, self.members) = (name, members) }
}

/// An account as doors report it to programs.
package struct DoorAccount: Equatable, Sendable {
  package let id: AccountID
  /// The account's address in the form by which regd compares addresses, so that one account is one mailbox, however
  /// the login was typed. No address has white space or control characters.
  package let name: String
  package let state: Account.State
  /// The address as it was typed.
  package let email: String
  package let groups: Groups
  package let displayName: DisplayName?
  /// The period in which the account's sign-ins are valid.
  let epoch: SessionEpoch

  package init(_ account: Account) {
    (id, name, state, epoch) = (account.id, account.email.key.value, account.state, account.epoch)
    (email, groups, displayName) = (account.email.typed, account.groups, account.displayName)
  }

  package init(
    id: AccountID, name: String, state: Account.State = .active, email: String? = nil, groups: Groups = .none,
    displayName: DisplayName? = nil
  ) {
    (self.id, self.name, self.state, epoch) = (id, name, state, .first)
    (self.email, self.groups, self.displayName) = (email ?? name, groups, displayName)
  }

  /// The names of the groups, with commas between them, or "" without groups.
  var groupList: String { groups.names.map(\.description).joined(separator: ",") }

  /// Whether a sign-in of `other` is still valid: another address, state or epoch ends it, other groups do not.
  func isSignedIn(as other: DoorAccount) -> Bool {
    id == other.id && name == other.name && state == other.state && epoch == other.epoch
  }
}

/// Base64 (RFC 4648 §4) of a text that contains a password, with its padding, and nothing else.
enum EncodedSecret {
  /// Decodes a text. Returns nil if it is not base64, or has stray bits, because a password would have two encodings.
  /// The result is wiped when it is released.
  static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> SecureBuffer? {
    var bytes = SecureBuffer()
    let isBase64 = Base64.decode(text) { bytes.append($0) }
    guard isBase64 else { return nil }
    return bytes
  }
}
