import Linux
import Testing

@testable import regd_login

@Suite("Names of this machine's users")
struct SystemUserTests {
  @Test("a failed look-up is not absence, but a user that another look-up finds is certain")
  func outages() throws {
    let failure = SystemError("getpwnam_r", SystemError.connectionRefused)
    for names in [["away"], ["away", "ann"], ["ann", "away"], ["away", "ann", "bob"]] {
      #expect(throws: failure) { try PAMSignIn.isSystemUser(names, lookUp) }
    }
    #expect(try PAMSignIn.isSystemUser(["away", "root"], lookUp))
    #expect(try PAMSignIn.isSystemUser(["ann", "root"], lookUp))
    #expect(try !PAMSignIn.isSystemUser(["ann", "bob"], lookUp))
    #expect(try !PAMSignIn.isSystemUser([], lookUp))
  }

  /// Finds the user `root`, and cannot find out whether there is a user `away`.
  private func lookUp(_ name: String) throws(SystemError) -> UInt32? {
    if name == "away" { throw SystemError("getpwnam_r", SystemError.connectionRefused) }
    return name == "root" ? 0 : nil
  }
}
