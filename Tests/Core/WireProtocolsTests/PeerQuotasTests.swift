import Testing

@testable import WireProtocols

@Suite("Quotas of users")
struct PeerQuotasTests {
  @Test("after 16,000 users have come and gone, PeerQuotas forgets most of them but still counts their requests")
  func gone() {
    let quotas = PeerQuotas(Limits())
    let stays = quotas.quota(of: 7)
    stays.connect()
    for uid in UInt32(100)..<16_100 { quotas.quota(of: uid).count(2) }
    let survey = quotas.survey(listing: 100)
    #expect(survey.listed.count == 100)
    #expect(survey.unlistedUsers + 100 <= PeerQuotas.leastRoom)
    #expect(survey.all.requests == 32_000 && survey.all.connections == 1)
    #expect(quotas.quota(of: 7) === stays, "a user whose usage is still in use keeps it")
    #expect(quotas.quota(of: 100) !== quotas.quota(of: 101))
  }

  @Test("a survey lists the users with the highest usage, sorted by uid, and adds up the others")
  func largest() {
    let quotas = PeerQuotas(Limits())
    let users = (UInt32(0)..<50).map { quotas.quota(of: $0) }
    for user in users { user.count(1) }
    for uid in [30, 4] { users[uid].connect() }
    users[11].queue(5)
    users[20].begin(1)
    let survey = quotas.survey(listing: 4)
    #expect(survey.listed.map(\.uid) == [4, 11, 20, 30])
    #expect(survey.unlistedUsers == 46 && survey.unlisted.requests == 46 && survey.unlisted.connections == 0)
    #expect(survey.all == users.reduce(into: PeerQuotas.Figures()) { $0.add($1.figures) })
    let all = quotas.survey(listing: 50)
    #expect(all.listed.count == 50 && all.unlistedUsers == 0 && all.unlisted == PeerQuotas.Figures())
  }

  @Test("a new limit also applies to users who connected before it")
  func adopted() {
    let quotas = PeerQuotas(Limits())
    let quota = quotas.quota(of: 7)
    #expect(!quota.isLimited)
    quotas.adopt(Limits(requestsPerSecondPerUID: 1))
    #expect(quota.isLimited && quota.admit() == nil && quota.admit() != nil)
  }

  @Test("a user who has used up the request rate is not at rest until the rate has recovered")
  func rate() {
    let quota = PeerQuota(uid: 1, requestsPerSecond: 5)
    let before = ContinuousClock.now
    #expect(quota.isRested(at: before))
    #expect(quota.admit() == nil)
    #expect(!quota.isRested(at: before))
    #expect(quota.isRested(at: .now + .seconds(2)))
    #expect(PeerQuota(uid: 1, requestsPerSecond: 0).isRested(at: before))
  }
}
