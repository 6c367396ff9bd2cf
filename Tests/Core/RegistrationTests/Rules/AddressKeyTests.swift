import AddressNormalization
import Registration
import StoreConformance
import TestDoubles
import Testing

@Suite("Keys of addresses")
struct AddressKeyTests {
  private static let rules = EmailRules(normalizer: UnicodeNormalizer())

  private func key(_ typed: String) throws -> EmailKey { try Self.rules.check(typed).get().key }

  @Test("two spellings have the same key exactly if they are one address", arguments: AddressCorpus.pairs.indices)
  func pairs(_ index: Int) throws {
    let pair = AddressCorpus.pairs[index]
    let (one, other) = (try key(pair.one), try key(pair.other))
    #expect(
      (one == other) == pair.isOneAddress,
      "\(StoreConformance.escaped(pair.one)) \(StoreConformance.escaped(pair.other)): \(pair.why)")
    for key in [one, other] {
      #expect(try self.key(key.value) == key, "a key's key: \(StoreConformance.escaped(key.value))")
      let domain = key.value.drop { $0 != "@" }.unicodeScalars
      #expect(domain.allSatisfy { $0.isASCII && !("A"..."Z").contains($0) }, "in A-labels: \(key)")
    }
  }

  @Test("the rules refuse a string that is not an address", arguments: AddressCorpus.noAddresses.indices)
  func noAddress(_ index: Int) {
    let (typed, why) = AddressCorpus.noAddresses[index]
    #expect(throws: EmailRules.Refusal.self, "\(StoreConformance.escaped(typed)): \(why)") { try key(typed) }
  }

  @Test("the memory store gives the same answers", arguments: StoreConformance.addresses(rules))
  func memoryStore(_ rule: StoreConformance.Rule) async throws { try await rule.check(MemoryStore().accounts) }

  /// If folding were incomplete, an address would get another key when its key is folded again.
  @Test("folding a folded string changes nothing, for every character with every kind of mark after it")
  func stable() {
    let normalizer = UnicodeNormalizer()
    func folded(_ utf8: [UInt8]) -> [UInt8] { utf8.withUnsafeBytes { normalizer.folded($0) } }
    // an accent, a mark below, the iota subscript, a voiced sound mark
    let marks = ["", "\u{301}", "\u{323}", "\u{345}", "\u{3099}"]
    var tried = 0
    for value in UInt32(0x80)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.canonicalCombiningClass == .notReordered,
        scalar.properties.changesWhenNFKCCaseFolded
      else { continue }
      tried += 1
      for mark in marks {
        let text = Array("\(scalar)\(mark)".utf8)
        let once = folded(text)
        #expect(folded(once) == once, "\(StoreConformance.escaped("\(scalar)\(mark)"))")
        let composed = text.withUnsafeBytes { normalizer.composed($0) }
        #expect(folded(composed) == once, "in NFC: \(StoreConformance.escaped("\(scalar)\(mark)"))")
      }
    }
    #expect(tried > 5000)
  }
}
