import Testing
import UserMessages

@Suite("The language that an environment names")
struct UserLocaleTests {
  @Test(
    "variables that do not contain the name of a language name none",
    arguments: [
      [:], ["LANG": ""], ["LANG": "C"], ["LANG": "POSIX"], ["LANG": "C.UTF-8"], ["LC_ALL": "C", "LANG": "es_ES.UTF-8"],
      ["LC_MESSAGES": "POSIX", "LANG": "es"], ["LC_CTYPE": "es_ES.UTF-8"], ["LANGUAGE": "es"], ["LANG": ".UTF-8"],
      ["LANG": "@euro"], ["LANG": "/usr/lib/locale/es"],
    ])
  func none(_ variables: [String: String]) {
    let locale = UserLocale { variables[$0] }
    #expect(locale == .none)
    #expect(locale.wish == nil)
  }

  @Test(
    "the language for a character set other than UTF-8 is English",
    arguments: ["es_ES.ISO-8859-1", "zh_TW.Big5", "pt_BR.ISO-8859-15@euro", "ar.", "ar_EG.utf-16"])
  func otherCharacterSet(_ name: String) {
    let locale = UserLocale { ["LANG": name][$0] }
    #expect(locale == .otherCharacterSet)
    #expect(locale.wish == "en")
  }

  @Test(
    "the first of LC_ALL, LC_MESSAGES and LANG that is not empty decides",
    arguments: [
      (["LANG": "es"], "es"), (["LANG": "pt_BR.UTF-8@x"], "pt-BR"), (["LANG": "zh_CN.utf8"], "zh-CN"),
      (["LANG": "ar@latin"], "ar"), (["LANG": "es", "LC_MESSAGES": "ar_EG"], "ar-EG"),
      (["LANG": "es", "LC_MESSAGES": "ar", "LC_ALL": "zh"], "zh"),
      (["LANG": "es", "LC_MESSAGES": "", "LC_ALL": ""], "es"), (["LANG": "en_US.UTF-8"], "en-US"),
    ])
  func named(_ variables: [String: String], _ language: String) {
    let locale = UserLocale { variables[$0] }
    #expect(locale == .language(language))
    #expect(locale.wish == language)
  }
}
