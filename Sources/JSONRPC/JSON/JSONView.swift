/// A text that was read, for the length of a closure.
package enum JSONDocument {
  /// Reads `text` and lends its root value to `body`; neither the view nor what it hands out may leave the closure.
  ///
  /// - Throws: `JSONReadError` if the text is not JSON or deeper than `maximumDepth`.
  package static func read<Result>(
    _ text: UnsafeRawBufferPointer, maximumDepth: Int = 64, tape: inout JSONTape, _ body: (JSONView) -> Result
  ) throws(JSONReadError) -> Result {
    try JSONReader.read(text, maximumDepth: maximumDepth, into: &tape)
    let result = tape.nodes.withUnsafeBufferPointer { nodes in
      body(JSONView(text: text, nodes: nodes, index: 0))
    }
    tape.shrink()
    return result
  }
}

/// A value in a text that was read. Valid only inside the closure that lent it.
package struct JSONView {
  let text: UnsafeRawBufferPointer
  let nodes: UnsafeBufferPointer<JSONNode>
  let index: Int

  private var node: JSONNode { nodes[index] }

  package var kind: JSONKind { node.kind }

  package var isNull: Bool { node.kind == .null }

  /// The bytes of the value as they came, quotes included.
  package var source: UnsafeRawBufferPointer {
    let quotes = node.kind == .string ? 1 : 0
    return UnsafeRawBufferPointer(rebasing: text[Int(node.start) - quotes..<Int(node.end) + quotes])
  }

  /// A string's UTF-8, or nil for another kind.
  package var utf8: [UInt8]? {
    node.kind == .string ? JSONStrings.bytes(of: node, text) : nil
  }

  package var string: String? {
    guard node.kind == .string else { return nil }
    if !node.escaped { return String(decoding: JSONStrings.raw(node, text), as: UTF8.self) }
    return String(decoding: JSONStrings.bytes(of: node, text), as: UTF8.self)
  }

  /// The beginning of a string, for messages: at most 100 Unicode scalars of what a caller sent.
  var excerpt: String {
    var excerpt = ""
    excerpt.unicodeScalars.append(contentsOf: (string ?? "").unicodeScalars.prefix(100))
    return excerpt
  }

  /// An integer that fits 64 bits and is written without fraction and exponent.
  package var integer: Int64? {
    guard node.kind == .number else { return nil }
    return Int64(String(decoding: source, as: UTF8.self))
  }

  /// Whether this string's value is `word`.
  package func isString(_ word: StaticString) -> Bool {
    guard node.kind == .string else { return false }
    if node.escaped { return JSONStrings.bytes(of: node, text).elementsEqual(bytes(word)) }
    return JSONStrings.raw(node, text).elementsEqual(bytes(word))
  }

  /// An object's member, or nil where there is none.
  package func member(_ name: StaticString) -> JSONView? {
    var found: JSONView?
    forEachMember { candidate, value in
      if found == nil, candidate.isString(name) { found = value }
    }
    return found
  }

  /// Visits an object's members in order; nothing for another kind.
  package func forEachMember(_ visit: (_ name: JSONView, _ value: JSONView) -> Void) {
    guard node.kind == .object else { return }
    var name = index + 1
    while name < Int(node.next) {
      visit(at(name), at(name + 1))
      name = Int(nodes[name + 1].next)
    }
  }

  /// Visits an array's elements in order; nothing for another kind.
  package func forEachElement(_ visit: (JSONView) -> Void) {
    guard node.kind == .array else { return }
    var element = index + 1
    while element < Int(node.next) {
      visit(at(element))
      element = Int(nodes[element].next)
    }
  }

  func at(_ index: Int) -> JSONView { JSONView(text: text, nodes: nodes, index: index) }

  private func bytes(_ word: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
  }
}
