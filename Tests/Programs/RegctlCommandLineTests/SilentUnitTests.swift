import Testing

@testable import RegctlCommandLine

@Suite("The unit of a silent regd")
struct SilentUnitTests {
  @Test(
    "a unit that failed, waits for a restart or was restarted meanwhile cannot start, but a starting unit may"
  )
  func judged() {
    func judge(_ active: String, _ sub: String, _ restarts: Int, _ status: String = "", before: Int? = nil)
      -> SilentUnit.Verdict
    {
      SilentUnit.judge(
        [
          "ActiveState": active, "SubState": sub, "NRestarts": "\(restarts)", "Result": "exit-code",
          "StatusText": status,
        ], restartsBefore: before)
    }
    #expect(judge("failed", "failed", 0) == .init(state: "failed (failed)", reason: "exit-code", cannotStart: true))
    #expect(
      judge("activating", "auto-restart", 7, "Did not start: no directory").reason == "Did not start: no directory")
    #expect(judge("activating", "auto-restart", 7).cannotStart)
    #expect(judge("activating", "start", 8, before: 7).cannotStart)
    let starting = judge("activating", "start", 7, "taking over a long log", before: 7)
    #expect(starting == .init(state: "activating (start)", restarts: 7, isStarting: true))
    #expect(!judge("active", "running", 3, "Serving", before: 3).cannotStart)
    #expect(SilentUnit.judge([:], restartsBefore: nil) == .init(state: "? (?)"))
  }
}
