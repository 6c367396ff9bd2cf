import FullScreen
import Glibc
import Localization
import TestDoubles
import Testing

@testable import TopTerminal

@Suite("drawing top in another language")
struct TopLanguageTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func text(_ state: TopState) -> String {
    TopView.draw(state, columns: 300, rows: 60, .unicode, MarkedCatalog.language).lines.joined(separator: "\n")
  }

  /// Words of two or more letters outside marks.
  private func unmarked(_ text: String) -> [Substring] {
    MarkedCatalog.unmarked(text).split { !$0.isLetter }.filter { $0.count > 1 }
  }

  @Test("the screens before the first answer and after a lost connection are translated, except regd's name")
  func empty() {
    var state = TopState(socket: "/s", period: 2)
    #expect(Set(unmarked(text(state))).isSubset(of: ["regd"]), "\(text(state))")
    state.lose("«gone»", retrySeconds: 3)
    #expect(Set(unmarked(text(state))).isSubset(of: ["regd"]), "\(text(state))")
  }

  @Test("the help is translated, except the names of keys")
  func help() {
    var state = TopState(socket: "/s", period: 2)
    _ = state.press(.edit(.insert("h")))
    let keys: Set<Substring> = ["regd", "Esc", "Ctrl", "Space", "Right", "Left", "Down", "Up"]
    #expect(Set(unmarked(text(state))).isSubset(of: keys), "\(text(state))")
  }

  @Test("a screen with figures is translated, except regd's names and units")
  func figures() throws {
    let state = try TopStateTests.shown()
    let known: Set<Substring> = [
      "regd", "run", "sock", "rpc", "ping", "registration", "validate", "sqlite", "none", "http", "memory", "email",
      "taken", "ms", "min", "KiB",
      "MiB", "p50", "p90", "p99",
    ]
    let rest = Set(unmarked(text(state))).subtracting(known)
    #expect(rest.isEmpty, "\(rest) in \(text(state))")
  }

  @Test("the message that the screen is too small is translated")
  func tooSmall() {
    let state = TopState(socket: "/s", period: 2)
    let lines = TopView.draw(state, columns: 60, rows: 10, .unicode, MarkedCatalog.language).lines
    #expect(MarkedCatalog.unmarked(lines.joined(separator: " ")).allSatisfy { $0 == " " }, "\(lines)")
  }
}
