import MailComposition
import Testing

@Suite("Mail system messages for operators")
struct HarmlessWordsTests {
  @Test(
    "HarmlessWords removes addresses and codes, and keeps details that help an operator",
    arguments: [
      ("550 5.1.1 <name@example.com>: no such user", "550 5.1.1 … no such user"),
      ("554 your text \"The code is 123456\" is spam", "554 your text \"The code is … is spam"),
      ("554 123 456 is spam", "… is spam"), ("554 code 123 456", "554 code …"), ("554 code 12-34-56.", "554 code …"),
      ("451 4.7.1 try again in 300 seconds", "451 4.7.1 try again in 300 seconds"),
      ("554 192.0.2.17 is listed", "554 192.0.2.17 is listed"),
      ("550 Jürgen unbekannt\r\n\u{1B}[31m", "550 J rgen unbekannt [31m"), ("", ""),
      (String(repeating: "x", count: 500), String(repeating: "x", count: 200)),
    ])
  func words(_ said: String, _ told: String) { #expect(HarmlessWords.of(said) == told) }
}
