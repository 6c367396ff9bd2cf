internal import CSimulation
internal import Linux
internal import RegdClient

/// The part of the configuration file that says who may register.
struct Doorway {
  var isClosed = false
  var depth = 64
  /// Incremented by each good file that is written, and by each reload that puts one in force.
  var generation = 0
  /// Whether the file's content is in force.
  var isInForce = true
  /// Whether a reload is in progress, which would read a file written now.
  var isBusy = false
}

/// Writes other configurations, which the running regd reloads or the next one reads.
extension World {
  func reload(_ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0), doorway.isInForce, !doorway.isBusy else { return }
    let before = doorway
    doorway.isClosed = !before.isClosed && chance.once(in: 2)
    doorway.depth = 60 + chance.below(5)
    let isGood = !chance.once(in: 4)
    if isGood {
      tally.met(.reload)
      doorway.generation += 1
      doorway.isInForce = false
      write(scenario.configuration(doorway))
    } else {
      tally.met(.badReload)
      doorway = before
      write("limits: {depth: none}\n")
    }
    doorway.isBusy = true
    let (generation, life) = (doorway.generation, lives)
    ask("daemon.reload", "null", caller, &chance) { [unowned self] end in
      doorway.isBusy = false
      if !isGood { write(scenario.configuration(before)) }
      guard life == lives, case .reply = end, !isNoise(end.reason) else { return }
      guard isGood else { return hold(.reloads, end.reason == "configuration.refused", "\(end.reason ?? "in force")") }
      hold(.reloads, end.result != nil, "daemon.reload: \(end.error?.text ?? "")")
      guard generation == doorway.generation else { return }
      doorway.generation += 1
      doorway.isInForce = true
    }
  }

  /// Checks that regd reports a limit as the configuration in force has it.
  func askForLimits(_ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    let before = doorway
    ask("rpc.serverInfo", "null", caller, &chance) { [unowned self] end in
      guard let depth = end.result?["limits"]?["depth"]?.integer, before.isInForce,
        before.generation == doorway.generation
      else { return }
      hold(.reloads, depth == before.depth, "the depth is \(depth), and the configuration says \(before.depth)")
    }
  }

  /// Notes that the next process of regd begins, which reads the file in its present state.
  func beginUnderFile() {
    doorway.generation += 1
    doorway.isInForce = true
  }

  private func write(_ configuration: String) {
    do { try FileWriting.write(configuration, to: SimulatedProcess.file) } catch { hold(.comesUp, false, "\(error)") }
  }

  /// Checks a registration's answer against `registration.mode`: while it is `closed`, no registration succeeds.
  func judgeDoorway(of attempt: Attempt, _ reason: String?, isAlone: Bool) {
    guard !isNoise(reason), attempt.doorway.isInForce, attempt.doorway.generation == doorway.generation else { return }
    if !attempt.doorway.isClosed {
      return hold(.closed, reason != "registration.closed", "\(attempt.key) is told that nobody may register")
    }
    hold(
      .closed, !isAlone || reason == "registration.closed" || reason == "request.conflict",
      "\(attempt.key) while nobody may register: \(reason ?? "a result")")
  }

  /// Checks the answer to a claim's code against `registration.mode`: while it is `closed`, no claim makes an account.
  func judgeDoorway(of guess: Guess, _ reason: String?) {
    guard !guess.claim.isRecovery, !isNoise(reason), guess.doorway.isInForce, guess.uid == guess.claim.uid,
      guess.doorway.generation == doorway.generation
    else { return }
    let isClosed = reason == "registration.closed"
    guard guess.doorway.isClosed else {
      return hold(.closed, !isClosed, "\(guess.claim.id) cannot be proven, and everybody may register")
    }
    // a code that has made an account is still answered
    guard guess.isFirst, guess.claim.account == nil, guess.claim.proofs == (guess.isOwn ? 1 : 0) else { return }
    hold(
      .closed, isClosed || reason == "claim.notFound", "\(guess.claim.id) while nobody may register: \(reason ?? "")")
    if isClosed { tally.met(.closedProof) }
  }
}
