/// Member names are compared by value, not by spelling: `"a"` and `"\u0061"` are one name.
enum JSONMemberNames {
  /// The node of the first name of the object at `index` that stood there before, if any.
  static func firstDuplicate(of index: Int, _ tape: JSONTape, _ text: UnsafeRawBufferPointer) -> Int? {
    let end = Int(tape.nodes[index].next)
    // names that are long are not compared in pairs either: each escape would be read again for each pair
    let source = tape.nodes[index]
    guard source.end - source.start <= 4096 else { return firstDuplicateByHash(from: index + 1, to: end, tape, text) }
    var name = index + 1
    var count = 0
    while name < end {
      count += 1
      guard count <= 16 else { return firstDuplicateByHash(from: index + 1, to: end, tape, text) }
      var earlier = index + 1
      while earlier < name {
        if same(tape.nodes[earlier], tape.nodes[name], text) { return name }
        earlier = Int(tape.nodes[earlier + 1].next)
      }
      name = Int(tape.nodes[name + 1].next)
    }
    return nil
  }

  /// Past a handful of names pairs would cost the square of their number; Swift's hashing is seeded per process.
  private static func firstDuplicateByHash(
    from start: Int, to end: Int, _ tape: JSONTape, _ text: UnsafeRawBufferPointer
  ) -> Int? {
    var seen = Set<[UInt8]>()
    var name = start
    while name < end {
      let bytes = JSONStrings.bytes(of: tape.nodes[name], text)
      if !seen.insert(bytes).inserted { return name }
      name = Int(tape.nodes[name + 1].next)
    }
    return nil
  }

  private static func same(_ one: JSONNode, _ other: JSONNode, _ text: UnsafeRawBufferPointer) -> Bool {
    if one.escaped || other.escaped {
      return JSONStrings.bytes(of: one, text) == JSONStrings.bytes(of: other, text)
    }
    return JSONStrings.raw(one, text).elementsEqual(JSONStrings.raw(other, text))
  }
}
