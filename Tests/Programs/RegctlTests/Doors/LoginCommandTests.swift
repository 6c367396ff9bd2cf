import ArgumentParser
import DoorHelpers
import Testing

@testable import regctl

@Suite("The command lines of regctl pam and regctl helper")
struct LoginCommandTests {
  @Test("every command line that regd-login reads has the same meaning for ArgumentParser")
  func agreement() throws {
    let pam = [[], ["--wrong"], ["--refused"], ["--system-users"], ["--group", "a", "--group=b"]]
    let values = [
      [], ["--socket", "/s"], ["--socket=/s=t"], ["--socket", "/s", "--socket", "/t"], ["--domain", ""],
      ["--domain=-x"], ["--seconds", "6"], ["--seconds=+6"], ["--json"], ["--json", "--json"],
    ]
    let programs = [["/bin/sh", "--json", "-c"], ["--", "-x"], ["--", "--", "x"], ["x", "--socket", "/u"]]
    var lines = pam.flatMap { pam in values.map { ["pam"] + pam + $0 } }
    lines += ["ejabberd", "squid", "apache"].flatMap { helper in values.map { ["helper", helper] + $0 } }
    lines += programs.flatMap { program in values.map { ["helper", "checkpassword"] + $0 + program } }
    for line in lines {
      let command = try #require(try Regctl.parseAsRoot(line) as? any LoginCommand, "\(line)")
      #expect(try LoginArguments(line) == command.arguments, "\(line)")
    }
  }

  @Test("neither finds a value in an option that ends in =")
  func withoutValue() {
    #expect(throws: LoginArguments.Problem.self) { try LoginArguments(["pam", "--domain="]) }
    #expect(throws: (any Error).self) { try Regctl.parseAsRoot(["pam", "--domain="]) }
  }

  @Test("a command line that only ArgumentParser reads is passed on in a form that regd-login reads")
  func passedOn() throws {
    for line in [["pam", "--socket", "-"], ["pam", "--"], ["helper", "squid", "--domain", "-", "--group", "a"]] {
      #expect(throws: LoginArguments.Problem.self, "\(line)") { try LoginArguments(line) }
      let command = try #require(try Regctl.parseAsRoot(line) as? any LoginCommand, "\(line)")
      #expect(try LoginArguments(command.arguments.words) == command.arguments, "\(line)")
    }
  }
}
