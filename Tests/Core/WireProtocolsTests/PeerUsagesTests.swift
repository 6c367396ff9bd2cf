import Testing

@testable import WireProtocols

@Suite("Usage per user")
struct PeerUsagesTests {
  @Test("after 16,000 users have come and gone, PeerUsages forgets most of them but still counts their requests")
  func gone() {
    let usages = PeerUsages(Limits())
    let stays = usages.usage(of: 7)
    stays.connect()
    for uid in UInt32(100)..<16_100 { usages.usage(of: uid).count(2) }
    let survey = usages.survey(listing: 100)
    #expect(survey.listed.count == 100)
    #expect(survey.unlistedUsers + 100 <= PeerUsages.leastRoom)
    #expect(survey.all.requests == 32_000 && survey.all.connections == 1)
    #expect(usages.usage(of: 7) === stays, "a user whose usage is still in use keeps it")
    #expect(usages.usage(of: 100) !== usages.usage(of: 101))
  }

  @Test("a survey lists the users with the highest usage, sorted by uid, and adds up the others")
  func largest() {
    let usages = PeerUsages(Limits())
    let users = (UInt32(0)..<50).map { usages.usage(of: $0) }
    for user in users { user.count(1) }
    for uid in [30, 4] { users[uid].connect() }
    users[11].queue(5)
    users[20].begin(1)
    let survey = usages.survey(listing: 4)
    #expect(survey.listed.map(\.uid) == [4, 11, 20, 30])
    #expect(survey.unlistedUsers == 46 && survey.unlisted.requests == 46 && survey.unlisted.connections == 0)
    #expect(survey.all == users.reduce(into: PeerUsages.Figures()) { $0.add($1.figures) })
    let all = usages.survey(listing: 50)
    #expect(all.listed.count == 50 && all.unlistedUsers == 0 && all.unlisted == PeerUsages.Figures())
  }

  @Test("a new limit also applies to users who connected before it")
  func adopted() {
    let usages = PeerUsages(Limits())
    let usage = usages.usage(of: 7)
    #expect(!usage.isLimited)
    usages.adopt(Limits(requestsPerSecondPerUID: 1))
    #expect(usage.isLimited && usage.admit() == nil && usage.admit() != nil)
  }

  @Test("a user who has used up the request rate is not at rest until the rate has recovered")
  func rate() {
    let usage = PeerUsage(uid: 1, requestsPerSecond: 5)
    let before = ContinuousClock.now
    #expect(usage.isRested(at: before))
    #expect(usage.admit() == nil)
    #expect(!usage.isRested(at: before))
    #expect(usage.isRested(at: .now + .seconds(2)))
    #expect(PeerUsage(uid: 1, requestsPerSecond: 0).isRested(at: before))
  }
}
