import ArgumentParser
import Testing

@testable import regctl

@Suite("Commands")
struct CommandTests {
  @Test("every command says its name: at each start ArgumentParser asks all of them, and reflects on what is silent")
  func names() {
    func nameless(_ command: any ParsableCommand.Type) -> [String] {
      let below = command.configuration.subcommands.flatMap(nameless)
      return command.configuration.commandName == nil ? below + ["\(command)"] : below
    }
    #expect(nameless(Regctl.self) == [])
    #expect(Regctl.configuration.subcommands.count > 20)
  }
}
