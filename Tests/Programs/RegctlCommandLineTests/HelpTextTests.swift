import Localization
import Testing

@testable import RegctlCommandLine

@Suite("Help")
struct HelpTextTests {
  @Test("the usage is wrapped to the width of the terminal, and an option is kept together with its value")
  func usage() {
    let (method, others) = ("[--method <method> ...]", "[--params <params>] [--in-flight <in-flight>]")
    #expect(
      HelpText(.english, columns: 60).english("X\nUSAGE: regctl bench \(method) \(others)\n\nOPTIONS:")
        == "X\nUSAGE: regctl bench \(method)\n       \(others)\n\nOPTIONS:")
  }
}
