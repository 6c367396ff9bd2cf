internal import Registration

/// The names of groups under the keys by which they are found. For a group whose record lists its members, these are the
/// names of the members. For a group to which accounts refer, it is the group's id. Keeps 24 bytes for each key of a group.
struct NotedGroups {
  private struct Note: Comparable {
    let key: KeyDigest
    /// A key of `texts`.
    var name: UInt32

    static func < (one: Note, other: Note) -> Bool {
      one.key == other.key ? one.name < other.name : one.key < other.key
    }
  }

  private var notes: [Note] = []
  private var texts: [UInt32: String] = [:]
  /// The keys of `texts`. Empty after `settle`.
  private var indices: [String: UInt32] = [:]

  /// Set in the key of a name that is not a group name, so that such names come after the others.
  private static let misnamed: UInt32 = 1 << 31
  /// How many such names an account gets at most. The names are only shown.
  private static let mostMisnamed = 20
  /// How many of the last notes have no name yet (`hold`).
  private var held = 0

  /// Notes keys of an entry that is not complete yet. The next `note` gives them the group's name, and `drop` removes them.
  mutating func hold(_ keys: [String]) {
    for key in keys { notes.append(Note(key: KeyDigest(key), name: 0)) }
    held += keys.count
  }

  mutating func drop() {
    notes.removeLast(held)
    held = 0
  }

  mutating func note(_ group: SourceGroup) {
    let isGood = GroupName(group.name) != nil
    let name = isGood ? group.name : ShownName.shortened(group.name)
    let index = indices[name] ?? UInt32(clamping: indices.count) | (isGood ? 0 : Self.misnamed)
    indices[name] = index
    texts[index] = name
    for place in notes.indices.suffix(held) { notes[place].name = index }
    held = 0
    for key in group.keys { notes.append(Note(key: KeyDigest(key), name: index)) }
  }

  /// Sorts the notes, and removes those that occur more than once. To be called after `note` has got all groups.
  mutating func settle() {
    indices = [:]
    notes.sort()
    var count = 0
    for index in notes.indices where count == 0 || notes[count - 1] != notes[index] {
      notes[count] = notes[index]
      count += 1
    }
    notes.removeLast(notes.count - count)
  }

  /// The names of the groups with this key: at most one more than an account may have, and then a few that are not group names.
  func names(of key: String) -> [String] {
    let key = KeyDigest(key)
    return names(of: key, from: 0, atMost: Groups.most + 1)
      + names(of: key, from: Self.misnamed, atMost: Self.mostMisnamed)
  }

  private func names(of key: KeyDigest, from first: UInt32, atMost count: Int) -> [String] {
    let start = Note(key: key, name: first)
    var (low, high) = (notes.startIndex, notes.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if notes[middle] < start { low = middle + 1 } else { high = middle }
    }
    return notes[low...].prefix(count).prefix { $0.key == key && $0.name & Self.misnamed == first }
      .compactMap { texts[$0.name] }
  }
}

/// A group that a record of an export describes.
struct SourceGroup {
  /// The name as the system has it. It need not be a group name.
  let name: String
  /// The keys under which accounts find the group.
  let keys: [String]
}

/// What the first reading of all files notes for the second one: addresses that several accounts have, and the members of groups.
package struct FirstReading {
  var addresses = NotedAddresses()
  var groups = NotedGroups()

  package init() {}

  /// To be called after `ForeignImport.note` has read all files.
  package mutating func settle() {
    addresses.settle()
    groups.settle()
  }
}
