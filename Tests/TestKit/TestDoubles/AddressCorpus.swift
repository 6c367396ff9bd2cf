/// Two spellings, and whether they are the same address. If they are, regd must give them equal keys, otherwise
/// different ones.
package struct AddressPair: Sendable {
  package let one: String
  package let other: String
  package let isOneAddress: Bool
  /// The reason, and the source of the rule.
  package let why: String
}

/// Pairs of spellings of the same address, as people, keyboards and programs write it, and pairs of different addresses
/// that look alike. Characters are escaped if two spellings would look the same here, or an editor might change them.
package enum AddressCorpus {
  package static let pairs =
    localPairs.map { AddressPair(one: $0.0 + "@x.example", other: $0.1 + "@x.example", isOneAddress: $0.2, why: $0.3) }
    + domainPairs.map { AddressPair(one: "a@" + $0.0, other: "a@" + $0.1, isOneAddress: $0.2, why: $0.3) }

  /// Pairs of local parts. regd's key of a local part is its NFKC with case folded. RFC 5321 §2.4 leaves it to the
  /// receiving host whether capital and small letters differ; for regd they do not.
  private static let localPairs: [(String, String, Bool, String)] = [
    // case
    ("Name", "nAME", true, "Unicode §3.13: ASCII folds"),
    ("ÄRGER", "ärger", true, "Unicode §3.13: so do other letters"),
    ("ЖЕНЯ", "женя", true, "Unicode §3.13: Cyrillic has case"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος", true, "CaseFolding.txt: the final sigma folds to the other one"),
    ("σίσυφος", "σίσυφοσ", true, "CaseFolding.txt: wherever it stands"),
    ("straße", "STRASSE", true, "CaseFolding.txt, status F: sharp s folds to ss"),
    ("stra\u{1E9E}e", "straße", true, "CaseFolding.txt, status F: so does its capital"),
    ("\u{1C5}", "\u{1C6}", true, "CaseFolding.txt: title case folds"),
    ("\u{AB70}", "\u{13A0}", true, "CaseFolding.txt: Cherokee folds to its capitals"),
    ("\u{1C80}", "в", true, "CaseFolding.txt: a rounded ve is a ve"),
    ("\u{17F}", "s", true, "CaseFolding.txt: long s"),
    ("\u{3D0}", "β", true, "CaseFolding.txt: beta symbol"),
    // i with and without its dot: no Turkish tailoring (CaseFolding.txt, status T), because the language is unknown
    ("Irmak", "irmak", true, "CaseFolding.txt, status C: the capital I is an i everywhere"),
    ("\u{131}rmak", "irmak", false, "CaseFolding.txt: dotless i folds to itself"),
    ("\u{131}rmak", "Irmak", false, "CaseFolding.txt: and not from the capital I"),
    ("\u{130}rmak", "irmak", false, "CaseFolding.txt, status F: the capital with a dot keeps the dot"),
    ("\u{130}rmak", "i\u{307}rmak", true, "CaseFolding.txt, status F: as a combining one"),
    ("\u{130}rmak", "I\u{307}rmak", true, "UAX #15: of which it is composed"),
    ("\u{237}ar", "jar", false, "CaseFolding.txt: dotless j is another letter"),
    // composed and decomposed
    ("caf\u{E9}", "cafe\u{301}", true, "UAX #15: canonical equivalence"),
    ("CAF\u{C9}", "cafe\u{301}", true, "UAX #15 and case at once"),
    ("cafe\u{301}", "cafe", false, "UAX #15: an accent is a difference"),
    ("\u{212B}", "å", true, "UAX #15: the Ångström sign is a singleton"),
    ("\u{212A}", "k", true, "UAX #15: so is the Kelvin sign"),
    ("\u{2126}", "ω", true, "UAX #15: so is the Ohm sign"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}", true, "UAX #15: canonical order of marks of two classes"),
    ("\u{E1}\u{323}", "\u{1EA1}\u{301}", true, "UAX #15: also where one is composed"),
    ("a\u{301}\u{308}", "a\u{308}\u{301}", false, "UAX #15: marks of one class keep their order"),
    ("각", "\u{1100}\u{1161}\u{11A8}", true, "UAX #15 §16: Hangul jamo compose"),
    ("각", "\u{AC00}\u{11A8}", true, "UAX #15 §16: also from half a syllable"),
    ("\u{958}", "\u{915}\u{93C}", true, "UAX #15 §5: composition exclusions"),
    ("\u{2F800}", "\u{4E3D}", true, "UAX #15: CJK compatibility ideographs are singletons"),
    ("й", "и\u{306}", true, "UAX #15: Cyrillic short i"),
    ("=\u{338}", "\u{2260}", true, "UAX #15: an equals sign and its stroke"),
    // Greek tonos, oxia and iota
    ("\u{3CC}", "\u{1F79}", true, "UAX #15: tonos and oxia are one"),
    ("\u{3AC}", "α\u{301}", true, "UAX #15: tonos is the acute accent"),
    ("ά", "α", false, "UAX #15: and is a difference"),
    ("\u{1FB3}", "ΑΙ", true, "CaseFolding.txt, status F: the iota below folds to one beside"),
    ("\u{1FB3}\u{301}", "\u{1FB4}", true, "Unicode D145: canonical order comes before folding"),
    ("\u{390}", "ι\u{308}\u{301}", true, "CaseFolding.txt, status F: iota with dialytika and tonos"),
    // width and compatibility characters
    ("ｎａｍｅ", "NAME", true, "UAX #15: fullwidth forms"),
    ("na．me", "na.me", true, "UAX #15: a fullwidth full stop"),
    ("na\u{2024}me", "na.me", true, "UAX #15: one dot leader"),
    ("a＋b", "a+b", true, "UAX #15: a fullwidth plus"),
    ("ｶﾞ", "ガ", true, "UAX #15: halfwidth katakana with its mark"),
    ("\u{304B}\u{3099}", "が", true, "UAX #15: hiragana with its mark"),
    ("\u{FB01}n", "fin", true, "UAX #15: ligatures"), ("\u{FB06}", "ST", true, "UAX #15: also of long s"),
    ("\u{149}", "\u{2BC}n", true, "CaseFolding.txt, status F: n preceded by an apostrophe"),
    ("x\u{B2}", "x2", true, "UAX #15: superscripts"), ("\u{2460}", "1", true, "UAX #15: circled digits"),
    ("\u{2167}", "viii", true, "UAX #15: Roman numerals"), ("\u{2121}", "Tel", true, "UAX #15: squared words"),
    ("\u{B5}", "μ", true, "UAX #15: the micro sign"), ("\u{1D41A}", "a", true, "UAX #15: mathematical letters"),
    ("\u{FEF5}", "\u{644}\u{622}", true, "UAX #15: Arabic presentation forms"),
    ("\u{FB4F}", "אל", true, "UAX #15: Hebrew ones"),
    ("a\u{3002}b", "a.b", false, "UTS #46 knows the ideographic full stop as a dot, behind the @ only"),
    // lookalikes, and conventions of mail systems
    ("p\u{430}ypal", "paypal", false, "UTS #39 knows confusables; a key does not"),
    ("\u{391}", "A", false, "UTS #39: Greek Alpha"), ("0", "O", false, "UTS #39: digits and letters"),
    ("na.me", "name", false, "RFC 5321 §2.3.11: dots mean what the host says"),
    ("name+tag", "name", false, "RFC 5233: a subaddress is the host's affair"),
    ("na-me", "na_me", false, "RFC 5322 §3.2.3: two characters"),
    ("\u{263A}", "\u{263B}", false, "two emoji"),
  ]

  /// Pairs of domains. regd's key of a domain is its A-labels (RFC 5891), made by non-transitional UTS #46.
  private static let domainPairs: [(String, String, Bool, String)] = [
    ("Example.COM", "example.com", true, "RFC 4343: domain names have no case"),
    ("bücher.example", "xn--bcher-kva.example", true, "RFC 5891 §4.4: U-label and A-label"),
    ("BÜCHER.example", "XN--Bcher-KVA.EXAMPLE", true, "UTS #46 §4; RFC 4343: A-labels have no case"),
    ("bu\u{308}cher.example", "bücher.example", true, "UTS #46 §4: NFC"),
    ("例子.广告", "xn--fsqu00a.xn--4rr70v", true, "RFC 5891 §4.4: also of the top level"),
    ("ＸＮ－－bcher-kva.example", "bücher.example", true, "UTS #46 §4: what is mapped to an A-label is one"),
    ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com", true, "UTS #46 §4: fullwidth letters and full stop"),
    ("example\u{3002}com", "example.com", true, "UTS #46 §2.3: the ideographic full stop is a dot"),
    ("例子\u{FF61}广告", "例子.广告", true, "UTS #46 §2.3: so is its halfwidth form"),
    ("straße.example", "strasse.example", false, "RFC 5894 §7.2: sharp s is a letter of its own in a domain"),
    ("straße.example", "xn--strae-oqa.example", true, "RFC 5891 §4.4, UTS #46 non-transitional"),
    ("stra\u{1E9E}e.example", "straße.example", true, "UTS #46 from 15.1 on: the capital is the small letter's"),
    ("βόλος.example", "βόλοσ.example", false, "RFC 5894 §7.2: so is the final sigma"),
    ("ΒΌΛΟΣ.example", "βόλοσ.example", true, "UTS #46 §4: the capital sigma is never final"),
    ("\u{131}.example", "i.example", false, "UTS #46 §4: dotless i"),
    ("\u{130}.example", "i\u{307}.example", true, "UTS #46 §4: the capital with a dot keeps the dot"),
    ("\u{FB01}n.example", "fin.example", true, "UTS #46 §4: ligatures"),
    ("한.example", "\u{1112}\u{1161}\u{11AB}.example", true, "UTS #46 §4: Hangul jamo compose"),
    ("\u{1F79}.example", "\u{3CC}.example", true, "UTS #46 §4: tonos and oxia are one"),
    ("\u{1FB3}\u{301}.example", "\u{1FB4}.example", true, "UAX #15: canonically equivalent, whatever is mapped later"),
    ("\u{2F868}.example", "\u{36FC}.example", true, "UAX #15: a singleton that UTS #46 does not map itself"),
    ("نامه\u{200C}ای.example", "نامهای.example", false, "RFC 5892 A.1: a joiner in its place is a difference"),
    ("ex\u{430}mple.com", "example.com", false, "UTS #39 knows confusables; a key does not"),
    ("mail.example.com", "example.com", false, "RFC 1034 §3.1: another name"),
    ("a-b.example", "ab.example", false, "RFC 1034 §3.5: a hyphen is a difference"),
  ]

  /// Texts that are not addresses in any reading, with the reasons.
  package static let noAddresses: [(typed: String, why: String)] = [
    ("a@example.com.", "RFC 5321 §4.1.2: a domain of mail has no dot at its end"),
    ("a@example.com\u{3002}", "UTS #46 §2.3: whatever the dot looks like"),
    ("\"name\"@x.example", "quoted strings are not taken: RFC 5321 §4.1.2 asks to avoid them"),
    ("\u{FF02}name\u{FF02}@x.example", "UAX #15: fullwidth quotes are quotes"),
    ("name＠x.example", "RFC 5321 §4.1.2: a fullwidth @ is none, and where it is one there is a second"),
    ("na＠me@x.example", "UAX #15: it folds to an @"),
    ("na\u{37E}me@x.example", "UAX #15: a Greek question mark is a semicolon"),
    ("na\u{2025}me@x.example", "UAX #15: a two dot leader is two dots"),
    ("name\u{33C2}@x.example", "UAX #15: a squared a.m. ends with a dot"),
    ("na\u{B4}me@x.example", "UAX #15: a lone acute accent has a space"),
    ("na<\u{338}me@x.example", "RFC 5322 §3.2.3: a stroke makes no letter of <"),
    ("na\u{226E}me@x.example", "UAX #15: and is the same when composed"),
    ("na\u{226F}me@x.example", "UAX #15: likewise >"),
    ("\u{263A}\u{FE0F}@x.example", "Unicode §23.4: a variation selector cannot be seen"),
    ("\u{1F469}\u{200D}\u{1F4BB}@x.example", "UTS #51: neither can a joiner; this emoji needs one"),
    ("na\u{AD}me@x.example", "Unicode §23.2: nor a soft hyphen"), ("na\u{34F}me@x.example", "nor a grapheme joiner"),
    ("na\u{202E}me@x.example", "UAX #9: what turns the text around"),
    ("na\u{2800}me@x.example", "a braille pattern without dots has no ink"),
    ("a@a\u{AD}b.example", "UTS #46 §4 ignores a soft hyphen: then two texts that look alike were one domain, unseen"),
    ("a@a\u{200B}b.example", "likewise a space without width"), ("a@a\u{E0100}b.example", "and a variation selector"),
    ("a@\u{263A}.example", "RFC 5892 §2.6: symbols are disallowed"),
    ("a@xn--n3h.example", "RFC 5891 §5.4: also as an A-label"),
    ("a@a\u{2260}b.example", "RFC 5892 §2.6: this symbol too"),
    ("a@a=\u{338}b.example", "RFC 5892 §2.6: in any normal form"),
    ("a@a＝\u{338}b.example", "RFC 5892 §2.6: in any width"),
    ("a@xn--ab-miv.example", "RFC 5891 §5.4: and as an A-label"),
    ("a@xn--strasse-.example", "RFC 5891 §5.3: an A-label has a letter beyond ASCII"),
    ("a@xn--cafe-dma.example", "RFC 5891 §5.3: and decodes to NFC"),
    ("a@xn--b\u{FC}cher.example", "RFC 5891 §5.3: an A-label is ASCII"),
    ("a@a\u{200D}b.example", "RFC 5892 A.2: a joiner out of its place"),
    ("a@\u{301}a.example", "RFC 5891 §4.2.3.2: no label begins with a mark"),
    ("a@1\u{5D0}.example", "RFC 5893 §2: a label written to the left does not begin with a digit"),
    ("a@ab--é.example", "RFC 5891 §4.2.3.1: hyphens in the third and fourth place"),
    ("a@x\u{2024}example", "UTS #46: one dot leader is no dot of domains"),
    ("a@x.\u{2460}", "RFC 3696 §2: the top level is no number, in any form"),
  ]
}
