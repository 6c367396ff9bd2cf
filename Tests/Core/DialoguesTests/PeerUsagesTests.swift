import Testing

@testable import Dialogues

@Suite("What users take")
struct PeerUsagesTests {
  @Test("sixteen thousand users that have come and gone are forgotten, and what they have asked for stays counted")
  func gone() {
    let usages = PeerUsages(Limits())
    let stays = usages.usage(of: 7)
    stays.connect()
    for uid in UInt32(100)..<16_100 { usages.usage(of: uid).count(2) }
    let survey = usages.survey(listing: 100)
    #expect(survey.listed.count == 100)
    #expect(survey.unlistedUsers + 100 <= PeerUsages.leastRoom)
    #expect(survey.all.requests == 32_000 && survey.all.connections == 1)
    #expect(usages.usage(of: 7) === stays, "whose usage something keeps is the same user")
    #expect(usages.usage(of: 100) !== usages.usage(of: 101))
  }

  @Test("those that take the most are listed, by uid, and the others counted together")
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

  @Test("a limit that comes holds for a user who has connected before")
  func adopted() {
    let usages = PeerUsages(Limits())
    let usage = usages.usage(of: 7)
    #expect(!usage.isLimited)
    usages.adopt(Limits(requestsPerSecondPerUID: 1))
    #expect(usage.isLimited && usage.admit() == nil && usage.admit() != nil)
  }

  @Test("who has used up its rate is not forgotten before it has it again")
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
