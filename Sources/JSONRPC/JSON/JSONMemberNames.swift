/// Member names are compared by value, not by spelling: `"a"` and `"\u0061"` are one name.
enum JSONMemberNames {
  /// The node of the first name of the object at `index` that stood there before, if any.
  @inline(__always)
  static func firstDuplicate(of index: Int, _ tape: borrowing JSONTape, _ text: UnsafePointer<UInt8>) -> Int? {
    let object = tape[index]
    let end = Int(object.next)
    // names that are long are not compared in pairs either: each escape would be read again for each pair
    guard object.end &- object.start <= 4096 else {
      return firstDuplicateByHash(from: index + 1, to: end, tape, text)
    }
    var name = index &+ 1
    var count = 0
    while name < end {
      count &+= 1
      guard count <= 16 else { return firstDuplicateByHash(from: index + 1, to: end, tape, text) }
      let candidate = tape[name]
      var earlier = index &+ 1
      while earlier < name {
        if same(tape[earlier], candidate, text) { return name }
        earlier = Int(tape[earlier &+ 1].next)
      }
      name = Int(tape[name &+ 1].next)
    }
    return nil
  }

  /// Past a handful of names pairs would cost the square of their number; Swift's hashing is seeded per process.
  @inline(never)
  private static func firstDuplicateByHash(
    from start: Int, to end: Int, _ tape: borrowing JSONTape, _ text: UnsafePointer<UInt8>
  ) -> Int? {
    var seen = Set<[UInt8]>()
    var name = start
    while name < end {
      if !seen.insert(JSONStrings.bytes(of: tape[name], text)).inserted { return name }
      name = Int(tape[name + 1].next)
    }
    return nil
  }

  @inline(__always)
  private static func same(_ one: JSONNode, _ other: JSONNode, _ text: UnsafePointer<UInt8>) -> Bool {
    if one.escaped || other.escaped {
      return JSONStrings.bytes(of: one, text) == JSONStrings.bytes(of: other, text)
    }
    let length = one.end &- one.start
    return length == other.end &- other.start
      && JSONBytes.areSame(text + Int(one.start), text + Int(other.start), Int(length))
  }
}
