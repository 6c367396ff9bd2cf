/// Compares member names by value, not by spelling: `"a"` and `"\u0061"` are one name.
enum JSONMemberNames {
  /// The node of the first name in the object at `index` that repeats an earlier name, or nil if all names differ.
  @inline(__always)
  static func firstDuplicate(of index: Int, _ tape: borrowing JSONTape, _ text: UnsafePointer<UInt8>) -> Int? {
    let object = tape[index]
    let end = Int(object.next)
    // a large object may have long names, and comparing pairs would read each name up to 15 times
    guard object.end &- object.start <= 4096 else {
      return firstDuplicateByHash(from: index + 1, to: end, tape, text)
    }
    var name = index &+ 1
    var count = 0
    while name < end {
      count &+= 1
      let candidate = tape[name]
      guard count <= 16, !candidate.escaped else { return firstDuplicateByHash(from: index + 1, to: end, tape, text) }
      var earlier = index &+ 1
      while earlier < name {
        if isSamePlain(tape[earlier], candidate, text) { return name }
        earlier = Int(tape[earlier &+ 1].next)
      }
      name = Int(tape[name &+ 1].next)
    }
    return nil
  }

  /// Finds the duplicate by hashes, for more than a few names, where comparing pairs would cost the square of their number.
  /// Swift seeds its hashing per process, so a caller cannot send names that collide.
  @inline(never)
  private static func firstDuplicateByHash(
    from start: Int, to end: Int, _ tape: borrowing JSONTape, _ text: UnsafePointer<UInt8>
  ) -> Int? {
    var count = 0
    var name = start
    while name < end {
      count += 1
      name = Int(tape[name + 1].next)
    }
    // open addressing, at most a third full, where -1 marks a free slot
    let mask = (count * 3).nextPowerOfTwo - 1
    var places = [Int32](repeating: -1, count: mask + 1)
    name = start
    while name < end {
      var place = hash(of: tape[name], text) & mask
      while places[place] >= 0 {
        if isSame(tape[Int(places[place])], tape[name], text) { return name }
        place = (place + 1) & mask
      }
      places[place] = Int32(truncatingIfNeeded: name)
      name = Int(tape[name + 1].next)
    }
    return nil
  }

  private static func hash(of name: JSONNode, _ text: UnsafePointer<UInt8>) -> Int {
    var hasher = Hasher()
    if name.escaped {
      JSONStrings.bytes(of: name, text).withUnsafeBytes { hasher.combine(bytes: $0) }
    } else {
      hasher.combine(bytes: JSONStrings.raw(name, text))
    }
    return hasher.finalize()
  }

  private static func isSame(_ one: JSONNode, _ other: JSONNode, _ text: UnsafePointer<UInt8>) -> Bool {
    guard one.escaped || other.escaped else { return isSamePlain(one, other, text) }
    return JSONStrings.bytes(of: one, text) == JSONStrings.bytes(of: other, text)
  }

  @inline(__always)
  private static func isSamePlain(_ one: JSONNode, _ other: JSONNode, _ text: UnsafePointer<UInt8>) -> Bool {
    let length = one.end &- one.start
    return length == other.end &- other.start
      && JSONBytes.areSame(text + Int(one.start), text + Int(other.start), Int(length))
  }
}

extension Int {
  /// The least power of two that is not less than this number, or 1 for numbers below 1.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
