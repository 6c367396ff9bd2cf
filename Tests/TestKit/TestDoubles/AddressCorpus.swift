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
  /// receiving host whether capital and small letters differ. For regd they do not.
  private static let localPairs: [(String, String, Bool, String)] = [
    // case
    ("Name", "nAME", true, "Unicode §3.13: ASCII letters fold"),
    ("ÄRGER", "ärger", true, "Unicode §3.13: letters outside ASCII fold"),
    ("ЖЕНЯ", "женя", true, "Unicode §3.13: Cyrillic has case"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος", true, "CaseFolding.txt: the final sigma folds to the other sigma"),
    ("σίσυφος", "σίσυφοσ", true, "CaseFolding.txt: the final sigma folds in any position"),
    ("straße", "STRASSE", true, "CaseFolding.txt, status F: sharp s folds to ss"),
    ("stra\u{1E9E}e", "straße", true, "CaseFolding.txt, status F: capital sharp s folds to ss"),
    ("\u{1C5}", "\u{1C6}", true, "CaseFolding.txt: title case letters fold"),
    ("\u{AB70}", "\u{13A0}", true, "CaseFolding.txt: Cherokee folds to its capitals"),
    ("\u{1C80}", "в", true, "CaseFolding.txt: rounded ve folds to ve"),
    ("\u{17F}", "s", true, "CaseFolding.txt: long s folds to s"),
    ("\u{3D0}", "β", true, "CaseFolding.txt: the beta symbol folds to beta"),
    // i with and without its dot: no Turkish tailoring (CaseFolding.txt, status T), because the language is unknown
    ("Irmak", "irmak", true, "CaseFolding.txt, status C: capital I folds to i in every language"),
    ("\u{131}rmak", "irmak", false, "CaseFolding.txt: dotless i folds to itself"),
    ("\u{131}rmak", "Irmak", false, "CaseFolding.txt: capital I does not fold to dotless i"),
    ("\u{130}rmak", "irmak", false, "CaseFolding.txt, status F: capital I with a dot keeps its dot"),
    ("\u{130}rmak", "i\u{307}rmak", true, "CaseFolding.txt, status F: the dot becomes a combining dot"),
    ("\u{130}rmak", "I\u{307}rmak", true, "UAX #15: capital I and a combining dot compose"),
    ("\u{237}ar", "jar", false, "CaseFolding.txt: dotless j is another letter"),
    // composed and decomposed
    ("caf\u{E9}", "cafe\u{301}", true, "UAX #15: canonical equivalence"),
    ("CAF\u{C9}", "cafe\u{301}", true, "UAX #15 and case folding together"),
    ("cafe\u{301}", "cafe", false, "UAX #15: an accent makes a difference"),
    ("\u{212B}", "å", true, "UAX #15: the Ångström sign is a singleton"),
    ("\u{212A}", "k", true, "UAX #15: the Kelvin sign is a singleton"),
    ("\u{2126}", "ω", true, "UAX #15: the Ohm sign is a singleton"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}", true, "UAX #15: canonical order of marks of two classes"),
    ("\u{E1}\u{323}", "\u{1EA1}\u{301}", true, "UAX #15: canonical order, although one mark is composed"),
    ("a\u{301}\u{308}", "a\u{308}\u{301}", false, "UAX #15: marks of one class keep their order"),
    ("각", "\u{1100}\u{1161}\u{11A8}", true, "UAX #15 §16: Hangul jamo compose"),
    ("각", "\u{AC00}\u{11A8}", true, "UAX #15 §16: a partial syllable and a jamo compose"),
    ("\u{958}", "\u{915}\u{93C}", true, "UAX #15 §5: composition exclusions"),
    ("\u{2F800}", "\u{4E3D}", true, "UAX #15: CJK compatibility ideographs are singletons"),
    ("й", "и\u{306}", true, "UAX #15: Cyrillic short i composes"),
    ("=\u{338}", "\u{2260}", true, "UAX #15: an equals sign and a stroke compose"),
    // Greek tonos, oxia and iota
    ("\u{3CC}", "\u{1F79}", true, "UAX #15: tonos and oxia are equivalent"),
    ("\u{3AC}", "α\u{301}", true, "UAX #15: tonos is the acute accent"),
    ("ά", "α", false, "UAX #15: tonos makes a difference"),
    ("\u{1FB3}", "ΑΙ", true, "CaseFolding.txt, status F: iota subscript folds to iota"),
    ("\u{1FB3}\u{301}", "\u{1FB4}", true, "Unicode D145: canonical order comes before folding"),
    ("\u{390}", "ι\u{308}\u{301}", true, "CaseFolding.txt, status F: iota with dialytika and tonos"),
    // width and compatibility characters
    ("ｎａｍｅ", "NAME", true, "UAX #15: fullwidth forms are compatible"),
    ("na．me", "na.me", true, "UAX #15: a fullwidth full stop is a full stop"),
    ("na\u{2024}me", "na.me", true, "UAX #15: a one dot leader is a full stop"),
    ("a＋b", "a+b", true, "UAX #15: a fullwidth plus is a plus"),
    ("ｶﾞ", "ガ", true, "UAX #15: halfwidth katakana and its mark compose"),
    ("\u{304B}\u{3099}", "が", true, "UAX #15: hiragana and its mark compose"),
    ("\u{FB01}n", "fin", true, "UAX #15: ligatures decompose"),
    ("\u{FB06}", "ST", true, "UAX #15: a ligature of s and t"),
    ("\u{149}", "\u{2BC}n", true, "CaseFolding.txt, status F: n preceded by an apostrophe"),
    ("x\u{B2}", "x2", true, "UAX #15: superscripts are digits"),
    ("\u{2460}", "1", true, "UAX #15: circled digits are digits"),
    ("\u{2167}", "viii", true, "UAX #15: Roman numerals are letters"),
    ("\u{2121}", "Tel", true, "UAX #15: squared words are letters"),
    ("\u{B5}", "μ", true, "UAX #15: the micro sign is mu"),
    ("\u{1D41A}", "a", true, "UAX #15: mathematical letters are letters"),
    ("\u{FEF5}", "\u{644}\u{622}", true, "UAX #15: Arabic presentation forms decompose"),
    ("\u{FB4F}", "אל", true, "UAX #15: Hebrew presentation forms decompose"),
    ("a\u{3002}b", "a.b", false, "UTS #46: the ideographic full stop is a dot only in domains"),
    // lookalikes, and conventions of mail systems
    ("p\u{430}ypal", "paypal", false, "UTS #39: a key does not unify confusable letters"),
    ("\u{391}", "A", false, "UTS #39: Greek Alpha is not Latin A"),
    ("0", "O", false, "UTS #39: a digit is not a letter"),
    ("na.me", "name", false, "RFC 5321 §2.3.11: only the host interprets dots"),
    ("name+tag", "name", false, "RFC 5233: only the host interprets subaddresses"),
    ("na-me", "na_me", false, "RFC 5322 §3.2.3: hyphen and underscore are different"),
    ("\u{263A}", "\u{263B}", false, "different emoji are different"),
  ]

  /// Pairs of domains. regd's key of a domain is its A-labels (RFC 5891), made by non-transitional UTS #46.
  private static let domainPairs: [(String, String, Bool, String)] = [
    ("Example.COM", "example.com", true, "RFC 4343: the case of domain names is ignored"),
    ("bücher.example", "xn--bcher-kva.example", true, "RFC 5891 §4.4: U-label and A-label are equivalent"),
    ("BÜCHER.example", "XN--Bcher-KVA.EXAMPLE", true, "UTS #46 §4; RFC 4343: the case of A-labels is ignored"),
    ("bu\u{308}cher.example", "bücher.example", true, "UTS #46 §4: labels are normalized to NFC"),
    ("例子.广告", "xn--fsqu00a.xn--4rr70v", true, "RFC 5891 §4.4: the top level may be an A-label"),
    ("ＸＮ－－bcher-kva.example", "bücher.example", true, "UTS #46 §4: a label that is mapped to an A-label is an A-label"),
    ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com", true, "UTS #46 §4: fullwidth letters and full stop are mapped"),
    ("example\u{3002}com", "example.com", true, "UTS #46 §2.3: the ideographic full stop is a dot"),
    ("例子\u{FF61}广告", "例子.广告", true, "UTS #46 §2.3: the halfwidth ideographic full stop is a dot"),
    ("straße.example", "strasse.example", false, "RFC 5894 §7.2: in a domain, sharp s is a separate letter"),
    ("straße.example", "xn--strae-oqa.example", true, "RFC 5891 §4.4, UTS #46 non-transitional: sharp s is kept"),
    ("stra\u{1E9E}e.example", "straße.example", true, "UTS #46 since 15.1: capital sharp s maps to sharp s"),
    ("βόλος.example", "βόλοσ.example", false, "RFC 5894 §7.2: in a domain, final sigma is a separate letter"),
    ("ΒΌΛΟΣ.example", "βόλοσ.example", true, "UTS #46 §4: capital sigma never maps to final sigma"),
    ("\u{131}.example", "i.example", false, "UTS #46 §4: dotless i is not i"),
    ("\u{130}.example", "i\u{307}.example", true, "UTS #46 §4: capital I with a dot keeps its dot"),
    ("\u{FB01}n.example", "fin.example", true, "UTS #46 §4: ligatures are mapped"),
    ("한.example", "\u{1112}\u{1161}\u{11AB}.example", true, "UTS #46 §4: Hangul jamo compose"),
    ("\u{1F79}.example", "\u{3CC}.example", true, "UTS #46 §4: tonos and oxia are equivalent"),
    ("\u{1FB3}\u{301}.example", "\u{1FB4}.example", true, "UAX #15: canonical equivalence before mapping"),
    ("\u{2F868}.example", "\u{36FC}.example", true, "UAX #15: a singleton that UTS #46 itself does not map"),
    ("نامه\u{200C}ای.example", "نامهای.example", false, "RFC 5892 A.1: a joiner makes a difference where valid"),
    ("ex\u{430}mple.com", "example.com", false, "UTS #39: a key does not unify confusable letters"),
    ("mail.example.com", "example.com", false, "RFC 1034 §3.1: a subdomain is another name"),
    ("a-b.example", "ab.example", false, "RFC 1034 §3.5: a hyphen makes a difference"),
  ]

  /// Strings that are not addresses in any interpretation, with the reasons.
  package static let noAddresses: [(typed: String, why: String)] = [
    ("a@example.com.", "RFC 5321 §4.1.2: a mail domain has no trailing dot"),
    ("a@example.com\u{3002}", "UTS #46 §2.3: an ideographic full stop is a trailing dot too"),
    ("\"name\"@x.example", "RFC 5321 §4.1.2 advises against quoted strings, and regd refuses them"),
    ("\u{FF02}name\u{FF02}@x.example", "UAX #15: fullwidth quotes are quotes"),
    ("name＠x.example", "RFC 5321 §4.1.2: a fullwidth @ does not separate the domain"),
    ("na＠me@x.example", "UAX #15: a fullwidth @ folds to a second @"),
    ("na\u{37E}me@x.example", "UAX #15: a Greek question mark is a semicolon"),
    ("na\u{2025}me@x.example", "UAX #15: a two dot leader is two dots"),
    ("name\u{33C2}@x.example", "UAX #15: a squared a.m. ends with a dot"),
    ("na\u{B4}me@x.example", "UAX #15: a lone acute accent decomposes to a space and a mark"),
    ("na<\u{338}me@x.example", "RFC 5322 §3.2.3: < with a stroke is not a letter"),
    ("na\u{226E}me@x.example", "UAX #15: < with a stroke, composed"),
    ("na\u{226F}me@x.example", "UAX #15: > with a stroke, composed"),
    ("\u{263A}\u{FE0F}@x.example", "Unicode §23.4: a variation selector is invisible"),
    ("\u{1F469}\u{200D}\u{1F4BB}@x.example", "UTS #51: a joiner is invisible, although this emoji needs one"),
    ("na\u{AD}me@x.example", "Unicode §23.2: a soft hyphen is invisible"),
    ("na\u{34F}me@x.example", "a grapheme joiner is invisible"),
    ("na\u{202E}me@x.example", "UAX #9: an override changes the direction of the text"),
    ("na\u{2800}me@x.example", "a braille pattern without dots is invisible"),
    ("a@a\u{AD}b.example", "UTS #46 §4 ignores a soft hyphen, so that an invisible character would be accepted"),
    ("a@a\u{200B}b.example", "UTS #46 §4 ignores a zero width space"),
    ("a@a\u{E0100}b.example", "UTS #46 §4 ignores variation selectors"),
    ("a@\u{263A}.example", "RFC 5892 §2.6: symbols are disallowed"),
    ("a@xn--n3h.example", "RFC 5891 §5.4: a symbol is disallowed as an A-label"),
    ("a@a\u{2260}b.example", "RFC 5892 §2.6: a composed symbol is disallowed"),
    ("a@a=\u{338}b.example", "RFC 5892 §2.6: a decomposed symbol is disallowed"),
    ("a@a＝\u{338}b.example", "RFC 5892 §2.6: a fullwidth, decomposed symbol is disallowed"),
    ("a@xn--ab-miv.example", "RFC 5891 §5.4: this symbol is disallowed as an A-label"),
    ("a@xn--strasse-.example", "RFC 5891 §5.3: an A-label contains a character beyond ASCII"),
    ("a@xn--cafe-dma.example", "RFC 5891 §5.3: an A-label decodes to NFC"),
    ("a@xn--b\u{FC}cher.example", "RFC 5891 §5.3: an A-label is ASCII"),
    ("a@a\u{200D}b.example", "RFC 5892 A.2: a joiner in an invalid position"),
    ("a@\u{301}a.example", "RFC 5891 §4.2.3.2: a label does not begin with a mark"),
    ("a@1\u{5D0}.example", "RFC 5893 §2: a right-to-left label does not begin with a digit"),
    ("a@ab--é.example", "RFC 5891 §4.2.3.1: hyphens in the third and fourth place"),
    ("a@x\u{2024}example", "UTS #46: a one dot leader is not a dot in domains"),
    ("a@x.\u{2460}", "RFC 3696 §2: the top level is not a number in any form"),
  ]
}
