internal import AsyncPrimitives
internal import Linux
internal import Liveness
internal import Synchronization
internal import WorkerThreads

/// The event loops of a server, and their threads.
struct LoopGroup: Sendable {
  /// The loop that accepts callers.
  let first: LoopHandle
  let loops: [LoopHandle]

  /// - Parameter lookUps: For each loop, the queue of the look-ups that run on the loop. Must not be empty.
  init(_ lookUps: [WorkQueue]) throws(SystemError) {
    var loops: [LoopHandle] = []
    for queue in lookUps { loops.append(try LoopHandle(queue)) }
    (first, self.loops) = (loops[0], loops)
  }

  /// A running loop.
  struct Running: Sendable {
    let handle: LoopHandle
    let rounds: any RunningRounds
    let ended: Promise<Void>
  }

  /// Starts each loop's thread. If a thread cannot be started, ends those that were started, and throws.
  func start(_ acceptor: Acceptor.Parts, _ parts: Connection.Parts) async throws(SystemError) -> [Running] {
    var running: [Running] = []
    do throws(SystemError) {
      for handle in loops {
        let ended = Promise<Void>()
        let name = "regd-loop-\(running.count + 1)"
        let rounds = try Workplaces.current.begin(name: name) {
          EventLoop(handle, handle === acceptor.loops.first ? Acceptor(acceptor) : nil, acceptor.rules, parts)
        } ended: {
          ended.fulfill(())
        }
        running.append(Running(handle: handle, rounds: rounds, ended: ended))
      }
    } catch {
      await Self.end(running)
      throw error
    }
    return running
  }

  /// Ends the threads after they have followed all earlier messages.
  static func end(_ running: [Running]) async {
    for loop in running { loop.handle.post(.order(.end)) }
    for loop in running {
      await loop.ended.value()
      loop.rounds.join()
    }
  }

  /// Posts the order to all loops, and returns at once.
  func post(_ order: LoopHandle.Order) {
    for loop in loops { loop.post(.order(order)) }
  }

  /// Posts the order to all loops, and returns when they have followed it. No loop may end before that.
  func tell(_ order: LoopHandle.Order) async {
    post(order)
    for loop in loops { await loop.roundTrip() }
  }

  var probes: [Probe] {
    loops.enumerated().map { number, loop in
      Probe("event loop \(number + 1)") { answered in loop.post(.question(answered)) }
    }
  }
}

extension LoopHandle {
  /// Returns when the loop has handled all earlier messages.
  func roundTrip() async {
    let done = Promise<Void>()
    post(.question { done.fulfill(()) })
    await done.value()
  }
}

/// A server's event loops, once they run.
final class RunningLoops: Sendable {
  private let state = Mutex<LoopGroup?>(nil)

  /// The loops, or nil before they run.
  var group: LoopGroup? { state.withLock { $0 } }

  func began(_ group: LoopGroup) { state.withLock { $0 = group } }
}
