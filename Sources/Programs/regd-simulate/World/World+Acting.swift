internal import CSimulation
internal import RegdClient

extension Action {
  /// Whether the action can be played even if no regd answers.
  var isOfProcess: Bool {
    switch kind {
    case .kill, .killAtDisk, .power, .powerAtDisk, .upstream, .giveAway, .wall, .mailMood: true
    case .storeMood, .killAtStore, .leave, .noDescriptor, .foreignLock, .sleep: true
    default: false
    }
  }
}

extension World {
  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    switch kind {
    case .kill, .killAtDisk, .power, .powerAtDisk, .terminate, .diskFault, .readOnly: actOnProcess(kind, &chance)
    case .foreignLock:
      oracle.faultLog.hadDiskFault = true
      simulated_disk_lock_until(simulated_now() + Int64(chance.within(1...8000)) * 1_000_000)
    case .sleep: sleep(&chance)
    case .storeMood, .killAtStore, .leave: actOnSeveral(kind, &chance)
    case .upstream: upstream.set(chance.one(of: SimulatedUpstream.Mood.allCases))
    case .giveAway: upstream.giveAway(address(&chance).lowercased())
    case .wall:
      let isBack = chance.once(in: 2)
      tally.met(isBack ? .wallBack : .wallForward)
      simulated_set_wall(Int64(chance.below(7200)) * (isBack ? -1_000_000_000 : 1_000_000_000))
    case .noDescriptor: simulated_lack(SIMULATED_DESCRIPTORS, Int32(chance.within(1...3)))
    case .noMemory:
      // only if all regd processes run, because a regd that starts ends if memory for a hash is missing
      if daemons.all.allSatisfy(\.isUp) { simulated_lack(SIMULATED_MEMORY, Int32(chance.within(1...3))) }
    case .checkpoint: beginQuiet()
    case .disable, .enable, .setPassword, .delete, .retry: administer(kind, &chance)
    case .hangUp, .halfClose, .slow: misbehave(kind, &chance)
    case .pings, .batch, .garbage, .sameId, .cancel, .twins: chat(kind, &chance)
    case .register, .again, .otherwise, .registerBatch: ask(kind, &chance)
    case .prove, .resend, .recover, .finish, .unproven, .mailMood, .tendMails: claim(kind, &chance)
    case .signOut, .changePassword, .deleteOwn: own(kind, &chance)
    case .form: fill(&chance)
    case .addGroups, .removeGroups, .signInAsMember: group(kind, &chance)
    case .reload: reload(&chance)
    case .limits: askForLimits(&chance)
    case .invite, .revoke, .approve, .refuse, .waiting: admit(kind, &chance)
    default: look(kind, &chance)
    }
  }

  private func actOnProcess(_ kind: Action.Kind, _ chance: inout Chance) {
    let operations = Int32(chance.once(in: 3) ? chance.within(1...60) : chance.within(1...12))
    switch kind {
    case .kill:
      tally.met(.kill)
      cluster.restart(.kill, daemons.anyDaemon(&chance))
    case .power:
      tally.met(.power)
      cluster.restart(.power, daemons.all[0])
    case .killAtDisk:
      tally.met(.killAtDisk)
      simulated_disk_cut_at(operations, SIMULATED_KILL)
    case .powerAtDisk:
      tally.met(.powerAtDisk)
      simulated_disk_cut_at(operations, SIMULATED_POWER)
    case .terminate: if daemons.terminatedAt == nil { cluster.terminate(daemons.anyDaemon(&chance)) }
    case .readOnly:
      oracle.faultLog.failDisk()
      tally.met(.readOnly)
      // SQLITE_IOERR_WRITE is what SQLite reports for a write that the kernel refuses with EROFS
      simulated_disk_fail_at(operations, 778, Int32(chance.within(2...60)))
    default:
      oracle.faultLog.failDisk()
      let fault = chance.one(of: [Fault.diskFull, .diskError, .syncError])
      tally.met(fault)
      // SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC
      simulated_disk_fail_at(operations, fault == .diskFull ? 13 : fault == .diskError ? 778 : 1034, 1)
    }
  }

  private func misbehave(_ kind: Action.Kind, _ chance: inout Chance) {
    let own = callers.all.filter { $0.isOpen && $0.uid != 0 && $0.collected == nil }
    guard !own.isEmpty else { return }
    let caller = chance.one(of: own)
    switch kind {
    case .hangUp:
      tally.met(caller.waiting.isEmpty ? .hangUp : .hangUpInFlight)
      callers.lose(caller)
    case .halfClose:
      tally.met(.halfClosed)
      caller.closesSoon = true
    default:
      tally.met(.slowReader)
      caller.readsAgain = simulated_now() + Int64(chance.below(20)) * 1_000_000_000
    }
  }

  // MARK: Registering

  private func ask(_ kind: Action.Kind, _ chance: inout Chance) {
    switch kind {
    case .again:
      let before = requests.attempts.filter { $0.end != .unsent }
      guard !before.isEmpty else { return }
      let first = chance.one(of: before)
      tally.met(first.end == .open ? .repeatInFlight : .repeated)
      guard let caller = caller(&chance, uid: first.uid) else { return }
      let again = Attempt(email: first.email, password: first.password, requestId: first.requestId, uid: first.uid)
      again.invitation = first.invitation
      register(again, caller, &chance)
    case .otherwise:
      // the requestId of another registration, with another address or password
      let before = requests.attempts.filter { $0.requestId != nil }
      guard !before.isEmpty else { return }
      let first = chance.one(of: before)
      guard let caller = caller(&chance, uid: first.uid) else { return }
      let isOtherPassword = chance.once(in: 2)
      let other = Attempt(
        email: isOtherPassword ? first.email : address(&chance),
        password: isOtherPassword ? password(chance.below(3)) : first.password, requestId: first.requestId,
        uid: first.uid)
      other.invitation = first.invitation
      register(other, caller, &chance)
    case .registerBatch:
      guard let caller = caller(&chance) else { return }
      var texts: [String] = []
      for _ in 0..<chance.within(1...5) {
        texts.append(registration(newAttempt(&chance, uid: caller.uid), caller, &chance))
      }
      callers.sayBatch(texts, caller, &chance)
    default:
      guard let caller = caller(&chance) else { return }
      register(newAttempt(&chance, uid: caller.uid), caller, &chance)
    }
  }

  // MARK: Talk

  private func chat(_ kind: Action.Kind, _ chance: inout Chance) {
    if kind == .twins { return beginTwins(&chance) }
    guard let caller = caller(&chance) else { return }
    switch kind {
    case .pings: for _ in 0..<chance.within(1...4) { ping(caller, &chance) }
    case .batch:
      let texts = (0..<chance.within(1...6)).map { _ in pingText(caller, &chance) }
      callers.sayBatch(texts, caller, &chance)
    case .garbage:
      tally.met(.garbage)
      caller.nulls += 1
      caller.queue("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":}\n")
      tally.met(.goesOn)
      ping(caller, &chance)
    case .sameId:
      guard let other = caller.waiting.last, !caller.batches.contains(where: { $0.contains(other.id) }),
        other.method != "rpc.ping"
      else { return }
      say(pingText(caller, id: other.id, &chance), caller, &chance)
    default:
      guard let other = caller.waiting.last(where: { $0.method == "registration.register" }) else { return }
      tally.met(.cancel)
      if chance.once(in: 2) {
        ask("rpc.cancel", "{\"id\":\(other.id)}", caller, &chance) { [unowned self] end in
          if case .reply = end {
            hold(.oneReply, end.result != nil || end.reason == "server.draining", "rpc.cancel has no result")
          }
        }
      } else {
        say("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(other.id)}}", caller, &chance)
      }
    }
  }

  private func ping(_ caller: SimulatedCaller, _ chance: inout Chance) {
    say(pingText(caller, &chance), caller, &chance)
  }

  private func pingText(_ caller: SimulatedCaller, id: String? = nil, _ chance: inout Chance) -> String {
    request("rpc.ping", "null", caller, id: id, &chance) { [unowned self] end in
      guard case .reply(let reply) = end else { return }
      let isRefused = end.reason == "server.draining" || end.reason == "rpc.invalidRequest"
      hold(.oneReply, end.result == .string("pong") || isRefused, "rpc.ping has \(reply.text)")
    }
  }

  /// Begins two callers that send the same bytes in different pieces, and must get the same replies.
  private func beginTwins(_ chance: inout Chance) {
    let pieces = [
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n",
      "{\"jsonrpc\":\"2.0\",\"id\":2,\n\"method\":\"rpc.ping\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"method\":\"no.such\"}",
      "[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"rpc.ping\"},1]\n",
      "{\"a\":}\n", "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"rpc.ping\",\"params\":{\"x\":1}}\n", "[]\n",
      "nonsense\n",
      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"registration.validate\",\"params\":{\"email\":\"a@b\",\"password\":\"x\"}}\n",
    ]
    let text = (0..<chance.within(2...8)).map { _ in chance.one(of: pieces) }.joined()
    var same = Chance(seed: seed, purpose: 7)
    var pair: [SimulatedCaller] = []
    for pace in [SimulatedCaller.Pace.whole, .drip] {
      guard let caller = callers.connect(&same, uid: 1001, pace: pace, isFramed: false, daemon: pair.first?.daemon)
      else {
        return
      }
      caller.collected = []
      caller.queue(text)
      caller.closesSoon = true
      pair.append(caller)
    }
    callers.watch(pair[0], pair[1])
  }
}
