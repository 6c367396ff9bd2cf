/// Languages with the same plural forms, and the rules of CLDR's plurals.xml that select among the forms, for whole numbers.
enum PluralFamily: CaseIterable {
  case one, zeroAndOne, arabic, breton, cornish, eastSlavic, czech, filipino, french, gaelic, hebrew, icelandic, irish,
    italian
  case latvian, lithuanian, maltese, manx, polish, portuguese, romanian, sami, serbian, slovenian, tachelhit, tamazight
  case welsh, zeroOne

  /// The families by primary subtag. A language that is missing here has only `other`.
  static let byLanguage: [String: PluralFamily] = {
    let languages: [(PluralFamily, String)] = [
      (
        .one,
        """
        af an asa ast az bal bem bez bg brx ce cgg chr ckb da de dv ee el en eo et eu fi fo fur fy gl gsw ha haw hu ia ie io jgo ji \
        jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nl nn nnh no nr ny nyn om or os pap ps rm rof rwk saq \
        sc sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vo vun wae xh xog yi
        """
      ),
      (.zeroAndOne, "ak am as bho bn csw doi fa ff gu guw hi hy kab kn ln mg nso pa pcm si ti wa zu"),
      (.arabic, "ar ars"), (.breton, "br"), (.cornish, "kw"), (.eastSlavic, "be ru uk"), (.czech, "cs sk"),
      (.filipino, "ceb fil tl"), (.french, "fr"), (.gaelic, "gd"), (.hebrew, "he iw"), (.icelandic, "is mk"),
      (.irish, "ga"),
      (.italian, "ca es it lld scn vec"), (.latvian, "lv prg"), (.lithuanian, "lt"), (.maltese, "mt"), (.manx, "gv"),
      (.polish, "pl"), (.portuguese, "pt"), (.romanian, "mo ro"), (.sami, "iu naq sat se sma smi smj smn sms"),
      (.serbian, "bs hr sh sr"), (.slovenian, "dsb hsb sl"), (.tachelhit, "shi"), (.tamazight, "tzm"), (.welsh, "cy"),
      (.zeroOne, "blo ksh lag"),
    ]
    let pairs = languages.flatMap { family, tags in tags.split(separator: " ").map { (String($0), family) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()
}
