import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Commands that ask the user for a code.
@Suite("regctl and codes", .blocking, .timeLimit(.minutes(10)))
struct CodeTests {
  private static let password = "a fine phrase"

  private func terminal(_ regd: RunningRegd, _ words: String...) throws -> PseudoTerminal {
    try PseudoTerminal(program: Places.regctl, arguments: words + ["--socket", regd.socket])
  }

  /// Answers the prompts in order.
  private func type(_ answers: [(prompt: String, answer: String)], _ terminal: PseudoTerminal) throws {
    for (prompt, answer) in answers {
      try terminal.wait(for: prompt)
      terminal.type(answer)
    }
  }

  private func wrong(_ code: String) -> String { String(code.map { $0 == "1" ? "2" : "1" }) }

  private func register(_ email: String, _ regd: RunningRegd) throws {
    let entry = RegdClient.entry(email: email, password: Self.password, confirmation: Self.password)
    _ = try regd.client().call("registration.register", entry).get()
  }

  @Test("an unknown claim causes an error, and a claim without an entered code remains open")
  func refused() throws {
    try withRegd(Postbox.verifying) { regd in
      let none = String(repeating: "4f", count: 16)
      try Shell.check(
        [
          ("$regctl claim prove \(none) --code 123456", 1, "claim.notFound"),
          ("$regctl claim resend \(none)", 1, "claim.notFound"),
          (
            "echo 'a fine phrase' | $regctl recover --claim \(none) --code 123456 --password-stdin", 1, "claim.notFound"
          ),
          (
            "echo 'a fine phrase' | setsid $regctl register a@test.com --password-stdin", 1,
            "there is no terminal on which to ask for the code; pass the code to `regctl claim prove "
          ),
          ("$regctl claim list", 0, "registration  open"), ("$regctl account list | wc -l", 0, "0"),
          ("echo x | $regctl password a@test.com --password-stdin", 2, "the new password"),
          ("printf 'x\\na fine phrase\\n' | $regctl password a@test.com --password-stdin", 1, "credentials.rejected"),
          ("echo x | $regctl email a@test.com b@test --password-stdin", 1, "newEmail"),
          ("echo x | $regctl my-data a@test.com --password-stdin", 1, "credentials.rejected"),
          ("echo x | setsid $regctl unregister a@test.com --password-stdin", 1, "was not deleted; use --yes"),
          ("$regctl mail discard nonsense --yes", 1, "rpc.invalidParams"),
        ], regd.socket)
      let terminal = try terminal(regd, "register", "b@test.com")
      try type(
        [("Password: ", "a fine phrase\n"), ("again: ", "a fine phrase\n"), ("Code ", "\u{4}")], terminal)
      #expect(terminal.finish() == 1)
      #expect(terminal.screen.contains("no code was entered; pass the code to `regctl claim prove "))
    }
  }

  @Test("registering on a terminal handles a malformed code, a wrong one, a second email too soon and the correct code")
  func register() throws {
    try withRegd(Postbox.verifying) { regd in
      let postbox = try Postbox(regd)
      let terminal = try terminal(regd, "register", "a@test.com")
      try type([("Password: ", "a fine phrase\n"), ("again: ", "a fine phrase\n")], terminal)
      let code = try postbox.code(for: "a@test.com")
      try type(
        [
          ("Code ", "123\n"), ("5 attempts are left.", "\(wrong(code))\n"), ("4 attempts are left.", "\n"),
          ("rate.limited", "r\n"), ("rate.limited", "\(code)\n"), ("registered a@test.com as ", ""),
        ], terminal)
      #expect(terminal.finish() == 0, "\(terminal.screen)")
      #expect(terminal.screen.contains("A code is on its way to a@test.com."))
      #expect(!terminal.screen.contains("fine phrase"))
    }
  }

  @Test("the last wrong code ends the claim and the prompt")
  func usedUp() throws {
    try withRegd(Postbox.verifying.merging(["REGD_REGISTRATION_CODE_ATTEMPTS": "2"]) { $1 }) { regd in
      let postbox = try Postbox(regd)
      let terminal = try terminal(regd, "register", "a@test.com")
      try type([("Password: ", "a fine phrase\n"), ("again: ", "a fine phrase\n")], terminal)
      let wrong = wrong(try postbox.code(for: "a@test.com"))
      try type(
        [("Code ", "\(wrong)\n"), ("One attempt is left.", "\(wrong)\n"), ("No attempts are left", "")], terminal)
      #expect(terminal.finish() == 1)
    }
  }

  @Test("a script can verify a claim later, or use its requestId to repeat the registration with the code")
  func scripts() throws {
    try withRegd(Postbox.verifying) { regd in
      let postbox = try Postbox(regd)
      let register = "echo 'a fine phrase' | $regctl register --password-stdin"
      let claimed = try Shell.run("\(register) a@test.com --no-wait --json --language es", regd.socket)
      let claim = try #require(JSONValue(claimed.output.utf8)?["claim"]?["id"]?.string, "\(claimed)")
      let code = try postbox.code(for: "a@test.com")
      try Shell.check(
        [
          ("$regctl claim list --json", 0, #""attempts":0"#),
          ("$regctl claim prove \(claim) --code \(wrong(code))", 1, "Quedan 4 intentos."),
          ("$regctl claim prove \(claim) --code \(code)", 0, "verified: a@test.com is account "),
          ("$regctl claim prove \(claim) --code \(code) --json", 0, #"{"account":{"id":"#),
          ("\(register) b@test.com --no-wait --request-id r", 0, " for b@test.com, valid until "),
        ], regd.socket)
      let other = try postbox.code(for: "b@test.com")
      try Shell.check(
        [
          ("\(register) b@test.com --request-id r --code \(other)", 0, "registered b@test.com as "),
          ("\(register) b@test.com --request-id r --code \(other) --json", 0, #"{"account":{"id":"#),
        ], regd.socket)
    }
  }

  @Test("recovering on a terminal asks for a password until regd accepts it, without asking for the code again")
  func recover() throws {
    try withRegd(Postbox.settings) { regd in
      try register("a@test.com", regd)
      let postbox = try Postbox(regd)
      let terminal = try terminal(regd, "recover", "a@test.com")
      let code = try postbox.code(for: "a@test.com")
      try type(
        [
          ("Code ", "\(code)\n"), ("New password: ", "short\n"), ("New password again: ", "short\n"),
          ("New password: ", "another phrase\n"),
          ("New password again: ", "another phrase\n"), ("set the password of a@test.com", ""),
        ], terminal)
      #expect(terminal.finish() == 0, "\(terminal.screen)")
      #expect(terminal.screen.contains("If a@test.com has an account, a code is on its way to this address."))
      #expect(terminal.screen.contains("password.tooShort") && !terminal.screen.contains("another phrase"))
      let started = try Shell.run("$regctl recover a@test.com --no-wait --json", regd.socket)
      let claim = try #require(JSONValue(started.output.utf8)?["claim"]?["id"]?.string, "\(started)")
      let next = try postbox.code(for: "a@test.com")
      try Shell.check(
        [
          ("echo 'another phrase' | $regctl sign-in a@test.com --password-stdin", 0, "signed in"),
          (
            "echo 'a third phrase' | $regctl recover --claim \(claim) --code \(next) --password-stdin", 0,
            "set the password of a@test.com"
          ),
          ("echo 'a third phrase' | $regctl sign-in a@test.com --password-stdin", 0, "signed in"),
        ], regd.socket)
    }
  }

  @Test("an owner can change the password and the address, read the stored data, and delete the account")
  func owner() throws {
    try withRegd(Postbox.verifying.merging(["REGD_REGISTRATION_VERIFICATION": "none"]) { $1 }) { regd in
      try register("a@test.com", regd)
      try Shell.check(
        [
          (
            "printf 'a fine phrase\\nanother phrase\\n' | $regctl password a@test.com --password-stdin", 0,
            "changed the password of a@test.com"
          ),
          (
            "echo 'another phrase' | $regctl email a@test.com b@test.com --password-stdin", 0,
            "changed the address from a@test.com to b@test.com"
          ),
          ("echo 'another phrase' | $regctl my-data b@test.com --password-stdin", 0, "email: b@test.com"),
          ("echo 'another phrase' | $regctl my-data b@test.com --password-stdin", 0, "account.passwordChanged"),
          ("echo 'another phrase' | $regctl my-data b@test.com --password-stdin --json", 0, #""audit":["#),
          (
            "echo 'another phrase' | $regctl unregister b@test.com --password-stdin --yes", 0,
            "deleted the account of b@test.com"
          ),
          ("$regctl check b@test.com", 0, "is available"), ("$regctl account list | wc -l", 0, "0"),
        ], regd.socket)
      let terminal = try terminal(regd, "password", "a@test.com")
      try type(
        [
          ("Password: ", "x\n"), ("New password: ", "a new phrase\n"), ("New password again: ", "a new phras\n"),
          ("password.mismatch", ""),
        ], terminal)
      #expect(terminal.finish() == 1)
    }
  }

  @Test("a new address is verified before it becomes the account's address")
  func changeEmail() throws {
    try withRegd(Postbox.verifying) { regd in
      let postbox = try Postbox(regd)
      let claimed = try Shell.run(
        "echo 'a fine phrase' | $regctl register --password-stdin a@test.com --no-wait --json", regd.socket)
      let claim = try #require(JSONValue(claimed.output.utf8)?["claim"]?["id"]?.string, "\(claimed)")
      let code = try postbox.code(for: "a@test.com")
      try Shell.check(
        [("$regctl claim prove \(claim) --code \(code)", 0, "verified: a@test.com is account ")], regd.socket)
      let terminal = try terminal(regd, "email", "a@test.com", "b@test.com")
      try type([("Password: ", "a fine phrase\n")], terminal)
      let other = try postbox.code(for: "b@test.com")
      try type([("Code ", "\(other)\n"), ("changed the address from a@test.com to b@test.com", "")], terminal)
      #expect(terminal.finish() == 0, "\(terminal.screen)")
    }
  }

  @Test("waiting emails can be listed, retried and discarded")
  func mail() throws {
    try withRegd(Postbox.verifying.merging(["REGD_MAIL_BACKEND": "unavailable"]) { $1 }) { regd in
      let id = "$($regctl mail list --json | cut -d'\"' -f4)"
      try Shell.check(
        [
          ("$regctl mail list", 0, ""),
          ("echo 'a fine phrase' | $regctl register a@test.com --password-stdin --no-wait", 0, "claim "),
          ("$regctl mail list", 0, "registrationCode"), ("$regctl mail list", 0, "  a@test.com"),
          ("$regctl mail list --json", 0, #""to":"a@test.com""#),
          ("$regctl status", 0, "mail: 1 email is waiting to be sent"),
          ("$regctl mail retry", 0, "all waiting entries will be retried now"),
          ("$regctl mail retry \(id)", 0, "will be retried now"),
          ("setsid $regctl mail discard \(id)", 1, "was not discarded; use --yes"),
          ("$regctl mail discard --yes \(id)", 0, "discarded"), ("$regctl mail list | wc -l", 0, "0"),
        ], regd.socket)
    }
  }
}
