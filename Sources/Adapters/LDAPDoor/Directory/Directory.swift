internal import Doors
internal import Registration

/// The directory that the LDAP door shows: a base, directly below it one entry for each person's account and one entry
/// `ou=groups`, and directly below that entry one for each group.
struct Directory: Equatable, Sendable {
  /// The base as it was written.
  let baseText: String
  private let base: DistinguishedName
  private let groups: DistinguishedName
  /// The domain that completes an address without an @, or empty for none.
  private let domain: String

  /// Makes a directory with an empty base and no domain.
  init() { self.init(baseText: "", DistinguishedName(), domain: "") }

  private init(baseText: String, _ base: DistinguishedName, domain: String) {
    (self.baseText, self.base, self.domain) = (baseText, base, domain)
    groups = base.child(DistinguishedName.Part(type: AttributeType.ou.rawValue, value: "groups"))
  }

  /// - Parameter base: If empty, the base is made of the domain's labels.
  /// - Returns: Nil if the base is not a valid name (DN).
  init?(base: String, domain: String) {
    let labels = domain.split(separator: ".").map { "dc=\(DistinguishedName.escaped(String($0)))" }
    let text = base.isEmpty ? labels.joined(separator: ",") : base
    guard let name = DistinguishedName(text.utf8) else { return nil }
    self.init(baseText: text, name, domain: domain)
  }

  /// The entry that a name (DN) means.
  enum Place: Equatable {
    case base
    /// The entry above the groups.
    case groups
    case entry(Sought)
    /// A name that no entry can have.
    case elsewhere
  }

  /// An entry, or entries, for which a client asks.
  enum Sought: Equatable, Sendable {
    /// - Parameter address: As it was written, perhaps without a domain.
    case person(address: String)
    case group(GroupName)
    /// The groups of one person.
    ///
    /// - Parameter member: The person's address, in the compared form (`key`).
    case groups(member: String)
  }

  func place(of name: DistinguishedName) -> Place {
    if name == base { return .base }
    if name == groups { return .groups }
    if let own = name.part(below: base), AttributeType(own.type.utf8)?.isNaming == true {
      return .entry(.person(address: own.value))
    }
    if let own = name.part(below: groups), own.type == AttributeType.cn.rawValue,
      let group = GroupName(own.value.folded)
    {
      return .entry(.group(group))
    }
    return .elsewhere
  }

  /// The login that a bind's name means. If the name is that of a person's entry, this is the address in the name.
  /// Otherwise it is the whole name, because many clients bind with the address alone.
  ///
  /// Besides the address, the name may have the attribute `host` (RFC 4524 section 2.10), as in
  /// `mail=you@example.org+host=198.51.100.7`: the origin of the sign-in, for which LDAP has no field. Empty for none.
  func login(_ name: [UInt8]) -> (address: [UInt8], origin: [UInt8]) {
    guard var read = DistinguishedName(name) else { return (name, []) }
    let origin = read.removeHost() ?? ""
    guard case .entry(.person(let address)) = place(of: read), !address.isEmpty else { return (name, []) }
    return (Array(address.utf8), Array(origin.utf8))
  }

  /// The form in which the directory compares addresses: completed by the domain, and case-folded.
  func key(_ address: String) -> String {
    domain.isEmpty || address.utf8.contains(UInt8(ascii: "@")) ? address.folded : "\(address)@\(domain)".folded
  }

  /// - Parameter name: The account's name (`DoorAccount.name`).
  func name(ofPerson name: String) -> String { below("mail=\(DistinguishedName.escaped(name))") }

  private func name(of group: GroupName) -> String { below("cn=\(group),ou=groups") }

  private func below(_ name: String) -> String { name + (baseText.isEmpty ? "" : ",\(baseText)") }

  /// - Parameter asked: The address by which the search found the account.
  func entry(_ account: DoorAccount, asked: String) -> Entry {
    let name = [account.name]
    var attributes: [(type: AttributeType, values: [String])] = [
      (.objectClass, EntryKind.person.classes), (.mail, name), (.uid, name), (.cn, name), (.sn, name),
    ]
    if let name = account.displayName { attributes.append((.displayName, [name.text])) }
    let groups = account.groups.names
    if !groups.isEmpty { attributes.append((.memberOf, groups.map { self.name(of: $0) })) }
    attributes.append((.entryUUID, [account.id.description]))
    return Entry(
      name: self.name(ofPerson: account.name), attributes: attributes, alsoKnownAs: [key(asked)],
      key: { [self] in key($0) }, resolved: [.memberOf: Set(groups.map(\.description))])
  }

  /// The entries of groups.
  ///
  /// - Parameter asked: Another spelling of the address of `found.member`, in the compared form.
  func entries(_ found: DoorGroups, asked: String?) -> [Entry] {
    found.groups.map { group in
      var members = Set(group.members.map(\.folded))
      if let member = found.member, member.groups.contains(group.name) {
        members.insert(member.name.folded)
        if let asked { members.insert(asked) }
      }
      return Entry(
        name: name(of: group.name),
        attributes: [
          (.objectClass, EntryKind.group.classes), (.cn, [group.name.description]),
          (.member, group.members.map { name(ofPerson: $0) }),
        ],
        resolved: [.member: members], isCut: found.isCut)
    }
  }

  /// The entry above the groups. Everybody may see it.
  var container: Entry {
    Entry(
      name: below("ou=groups"), attributes: [(.objectClass, ["top", "organizationalUnit"]), (.ou, ["groups"])])
  }

  /// Whether the entry above the groups lies in the scope of a search.
  func hasContainer(_ search: LDAPSearch) -> Bool {
    switch (place(of: search.base), search.scope) {
    case (.base, .one), (.base, .subtree), (.base, .below), (.groups, .base), (.groups, .subtree): true
    default: false
    }
  }

  /// The root DSE (RFC 4512 §5.1): an entry without a name, which lists the door's features.
  var root: Entry {
    Entry(
      name: "",
      attributes: [
        (.objectClass, ["top"]), (.namingContexts, [baseText]), (.supportedLDAPVersion, ["3"]),
        (.supportedExtension, [ExtendedName.whoAmI]),
        // `+` (RFC 3673), and filters that are always true or false (RFC 4526)
        (.supportedFeatures, ["1.3.6.1.4.1.4203.1.5.1", "1.3.6.1.4.1.4203.1.5.3"]),
        (.vendorName, ["regd"]),
      ])
  }
}

// MARK: - Filters

extension Directory {
  /// Replaces each name (DN) in a filter by what it means here, so that all spellings are equal: by the person's address in
  /// the compared form, by the group's name, or by "" for another name. An invalid name becomes `undefined`.
  func resolved(_ filter: Filter) -> Filter {
    switch filter {
    case .and(let parts): return .and(parts.map { resolved($0) })
    case .or(let parts): return .or(parts.map { resolved($0) })
    case .not(let part): return .not(resolved(part))
    case .equal(let type, let value) where type == .member || type == .memberOf:
      guard let name = DistinguishedName(value.utf8) else { return .undefined }
      switch (type, place(of: name)) {
      case (.member, .entry(.person(let address))): return .equal(type, key(address))
      case (.memberOf, .entry(.group(let group))): return .equal(type, group.description)
      default: return .equal(type, "")
      }
    case .equal, .present, .substrings, .undefined: return filter
    }
  }

  /// How many entries of persons or groups a filter may match.
  enum Reach: Equatable {
    case nobody
    case one(Sought)
    case many
  }

  /// What a search below the base, or below the entry above the groups, may find.
  func reach(_ search: LDAPSearch) -> Reach {
    let groups = reach(search.filter, among: .group)
    guard place(of: search.base) == .base else { return groups }
    let persons = reach(search.filter, among: .person)
    if search.scope == .one { return persons }
    switch (persons, groups) {
    case (.nobody, _): return groups
    case (_, .nobody): return persons
    // a `cn` can name a group and, completed by the domain, a person
    case (.one, .one(.group)): return isForPersons(search.filter) ? persons : groups
    default: return .many
    }
  }

  func reach(_ filter: Filter, among kind: EntryKind) -> Reach {
    switch filter {
    case .equal(let type, let value): return reach(type, value, among: kind)
    case .present(let type), .substrings(let type, _): return kind.has(type) ? .many : .nobody
    case .undefined: return .nobody
    case .not: return .many
    case .and(let parts):
      let reaches = parts.map { reach($0, among: kind) }
      if reaches.contains(.nobody) { return .nobody }
      let isGroup: (Reach) -> Bool = { if case .one(.group) = $0 { true } else { false } }
      return reaches.first(where: isGroup) ?? reaches.first { $0 != .many } ?? .many
    case .or(let parts): return parts.reduce(.nobody) { either($0, reach($1, among: kind)) }
    }
  }

  private func reach(_ type: AttributeType, _ value: String, among kind: EntryKind) -> Reach {
    switch (kind, type) {
    case (.person, .mail), (.person, .uid), (.person, .cn):
      return value.isEmpty ? .nobody : .one(.person(address: value))
    case (.group, .cn): return GroupName(value.folded).map { .one(.group($0)) } ?? .nobody
    case (.group, .member): return value.isEmpty ? .nobody : .one(.groups(member: value))
    case (_, .objectClass): return kind.hasClass(value) ? .many : .nobody
    default: return kind.has(type) ? .many : .nobody
    }
  }

  private func either(_ one: Reach, _ other: Reach) -> Reach {
    switch (one, other) {
    case (.nobody, _): return other
    case (_, .nobody): return one
    case (.one(.person(let address)), .one(.person(let another))) where key(address) == key(another): return one
    default: return one == other ? one : .many
    }
  }

  /// Whether a filter names, outside of negations, what only entries of persons have.
  private func isForPersons(_ filter: Filter) -> Bool {
    func isOfPersons(_ type: AttributeType) -> Bool { EntryKind.person.has(type) && !EntryKind.group.has(type) }
    switch filter {
    case .and(let parts), .or(let parts): return parts.contains { isForPersons($0) }
    case .equal(.objectClass, let name): return EntryKind.person.hasClass(name) && !EntryKind.group.hasClass(name)
    case .equal(let type, _), .present(let type), .substrings(let type, _): return isOfPersons(type)
    case .not, .undefined: return false
    }
  }

  /// The question for groups that answers a filter.
  ///
  /// - Parameters:
  ///   - listsMembers: Whether the answer has to list members.
  ///   - most: The most members to list.
  func query(_ sought: Sought, _ filter: Filter, listsMembers: Bool, most: Int) -> GroupQuery {
    var name: GroupName?
    if case .group(let group) = sought { name = group }
    // The account of one person shows whether it is a member. For several people, regd has to read the members.
    let isEnough = members(in: filter).count < 2
    return GroupQuery(
      name: name, member: member(sought, filter).map { Array($0.utf8) },
      mostMembers: listsMembers || !isEnough ? most : 0)
  }

  /// The person whose membership a filter asks for, or nil if it asks for none, or for several.
  func member(_ sought: Sought, _ filter: Filter) -> String? {
    if case .groups(let member) = sought { return member }
    let members = members(in: filter)
    return members.count == 1 ? members.first : nil
  }

  private func members(in filter: Filter) -> Set<String> {
    switch filter {
    case .and(let parts), .or(let parts): return parts.reduce(into: []) { $0.formUnion(members(in: $1)) }
    case .not(let part): return members(in: part)
    case .equal(.member, let address): return address.isEmpty ? [] : [address]
    case .equal, .present, .substrings, .undefined: return []
    }
  }
}
