import LoginVerdicts
import Testing

@testable import DoorHelpers

@Suite("The command line of regd-login")
struct LoginArgumentsTests {
  @Test(
    "a wrong command line is refused with its mistake",
    arguments: [
      ([], .helper), (["squid"], .helper), (["helper"], .helper), (["helper", "pam"], .helper), (["login"], .helper),
      (["pam", "--help"], .option("--help")), (["pam", "--json=yes"], .option("--json=yes")),
      (["pam", "-h"], .argument("-h")), (["pam", "x"], .argument("x")), (["pam", "--"], .argument("--")),
      (["helper", "squid", "--wrong"], .option("--wrong")),
      (["helper", "ejabberd", "--group", "a"], .option("--group")),
      (["helper", "checkpassword", "--group=a", "x"], .option("--group=a")),
      (["pam", "--socket"], .missingValue("--socket")), (["pam", "--domain", "--wrong"], .missingValue("--domain")),
      (["pam", "--seconds", "0"], .seconds("0")), (["pam", "--seconds", "61"], .seconds("61")),
      (["pam", "--seconds=x"], .seconds("x")), (["pam", "--group", "Staff"], .group("Staff")),
      (["pam", "--group="], .missingValue("--group")), (["pam", "--refused", "--wrong"], .wrongAndRefused),
      (["helper", "checkpassword"], .program), (["helper", "checkpassword", "--"], .program),
      (["helper", "checkpassword", "-x"], .argument("-x")),
    ] as [([String], LoginArguments.Problem)])
  func wrong(_ words: [String], _ problem: LoginArguments.Problem) {
    #expect(throws: problem) { try LoginArguments(words) }
  }

  @Test("64 groups may be required, and no more")
  func groups() throws {
    let names = (0...64).map { "g\($0)" }
    let options = names.map { "--group=\($0)" }
    #expect(try LoginArguments(["pam"] + options.dropLast()).groups == Array(names.dropLast()))
    #expect(throws: LoginArguments.Problem.group("g64")) { try LoginArguments(["pam"] + options) }
  }

  @Test("options have a value after a space or an equals sign, and the last one counts")
  func values() throws {
    let read = try LoginArguments([
      "pam", "--socket", "/a", "--socket=/b=c", "--domain", "", "--seconds", "6", "--wrong", "--group", "a",
      "--group=b",
      "--json", "--system-users",
    ])
    var wanted = LoginArguments(.pam)
    (wanted.socket, wanted.domain, wanted.seconds, wanted.groups) = ("/b=c", "", 6, ["a", "b"])
    (wanted.wanted, wanted.isJSON, wanted.allowsSystemUsers) = (.wrong, true, true)
    #expect(read == wanted)
    #expect(try LoginArguments(["helper", "ejabberd"]) == LoginArguments(.ejabberd))
  }

  @Test("checkpassword gets a program with all words after it, which may follow --")
  func program() throws {
    for before in [[], ["--"]] {
      let read = try LoginArguments(
        ["helper", "checkpassword", "--domain", "x.org"] + before + ["/bin/sh", "--json", "--", "-c"])
      #expect(read.program == ["/bin/sh", "--json", "--", "-c"] && read.domain == "x.org" && !read.isJSON)
    }
    #expect(try LoginArguments(["helper", "checkpassword", "--", "-x"]).program == ["-x"])
  }

  @Test("the words of a command line are read as the same command line")
  func words() throws {
    for helper in LoginArguments.Helper.allCases {
      var arguments = LoginArguments(helper)
      if helper == .checkpassword { arguments.program = ["-x", "--json"] }
      #expect(try LoginArguments(arguments.words) == arguments)
      (arguments.socket, arguments.domain, arguments.seconds, arguments.isJSON) = ("-", "--wrong", 60, true)
      if helper == .pam { (arguments.wanted, arguments.allowsSystemUsers) = (.refused, true) }
      if helper == .squid { arguments.groups = ["a", "b"] }
      #expect(try LoginArguments(arguments.words) == arguments)
    }
  }
}
