package import Registration

/// A mail system for tests. It records every mail, answers each as the test has staged it, and can hold its answers
/// until the test releases them. It outlives the queues that send mails to it.
package actor StagedMail: MailService {
  /// Decides on one mail. Nil accepts it. Code in the rule runs while the mail is being handed over.
  package typealias Rule = @Sendable (Mail) async -> MailFailure?

  /// All mails that were handed over, in order, including refused ones.
  package private(set) var tries: [Mail] = []
  /// The mails that were accepted.
  package private(set) var taken: [Mail] = []
  /// The largest number of mails that were being handed over at one time.
  package private(set) var mostAtOnce = 0
  private var inFlight = 0
  private var rule: Rule
  private var curtain = Curtain<Bool>()

  package init(_ rule: @escaping Rule = { _ in nil }) { self.rule = rule }

  package func conducts(_ rule: @escaping Rule) { self.rule = rule }

  /// From now on every mail waits until it is released.
  package func hold() { curtain.isDown = true }

  /// Returns as soon as `count` mails wait.
  package func reached(_ count: Int = 1) async {
    await withCheckedContinuation { curtain.reached(count, $0) }
  }

  /// Ends the wait of the mail that came first.
  package func release() { curtain.release(nil) }

  /// Ends all waits, and holds nothing from now on.
  package func open() { curtain.open() }

  package func send(_ mail: Mail) async throws(MailFailure) {
    tries.append(mail)
    inFlight += 1
    mostAtOnce = max(mostAtOnce, inFlight)
    defer { inFlight -= 1 }
    if curtain.isDown { _ = await withCheckedContinuation { curtain.hold($0) } }
    guard !Task.isCancelled else { throw .cancelled }
    if let failure = await rule(mail) { throw failure }
    taken.append(mail)
  }
}
