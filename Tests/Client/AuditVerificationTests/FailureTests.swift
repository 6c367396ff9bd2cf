import Localization
import RegdClient
import Testing

@testable import AuditVerification

/// An audit that cannot be verified.
@Suite("An audit that cannot be verified")
struct FailureTests {
  /// Returns one page and then one head, whatever was asked, and proves nothing.
  private final class Scripted: AuditSource {
    let page: String
    let headOf: StoredAudit

    init(page: String, headOf: StoredAudit = StoredAudit([])) { (self.page, self.headOf) = (page, headOf) }

    func head() throws(AuditFailure) -> AuditHead { try headOf.head() }
    func requestEntries(after number: Int, limit: Int) throws(AuditFailure) {}
    func receiveEntries() throws(AuditFailure) -> [UInt8] { Array(page.utf8) }
    func proof(of entry: Int, size: Int) throws(AuditFailure) -> InclusionProof? {
      throw .noAnswer(.timedOut(seconds: 9))
    }
  }

  private func failure(_ page: String) -> AuditFailure? {
    do throws(AuditFailure) { _ = try AuditVerification(Scripted(page: page)).run() } catch { return error }
    return nil
  }

  @Test("a page that is not JSON, is not a result, or has something other than entries ends the verification")
  func pages() throws {
    #expect(failure("nonsense") == .noAnswer(.notAReply("nonsense")))
    for result in ["1", "{}", #"{"events":1}"#, #"{"events":[1]}"#, #"{"events":[{"entry":"1"}]}"#] {
      #expect(failure(#"{"id":1,"result":\#(result)}"#) == .unexpected(method: "events.list"), "\(result)")
    }
    let twice = #"{"id":1,"result":{"events":[{"entry":5},{"entry":5}]}}"#
    #expect(failure(twice) == .outOfOrder(entry: 5, after: 5))
    let denied = #"{"id":1,"error":{"code":-32001,"message":"no","data":{"reason":"access.denied"}}}"#
    guard case .refused(let error)? = failure(denied) else {
      Issue.record("it is not refused")
      return
    }
    #expect(error.reason == "access.denied")
    #expect(try #require(failure(denied)).sentence.english == "no (access.denied)")
    #expect(AuditFailure.outOfOrder(entry: 5, after: 6).sentence.english.contains("entry 5 after entry 6"))
  }

  @Test("if the entries do not fit and regd proves nothing, the difference is reported without an entry")
  func notLocated() throws {
    let page = #"{"id":1,"result":{"events":[{"entry":1}]}}"#
    let report = try AuditVerification(Scripted(page: page, headOf: StoredAudit(StoredAudit.rows(1)))).run()
    #expect(report.differences == [.notLocated(AuditFailure.noAnswer(.timedOut(seconds: 9)).sentence)])
  }
}
