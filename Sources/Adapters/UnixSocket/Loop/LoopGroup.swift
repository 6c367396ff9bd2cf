internal import Heartbeat
internal import JSONRPC
internal import Linux
internal import Waiting

/// The event loops of a server, and their threads.
struct LoopGroup: Sendable {
  /// The one that accepts callers.
  let first: LoopHandle
  let loops: [LoopHandle]

  /// - Parameter lookUps: What goes on on each loop; at least one.
  init(_ lookUps: [WorkQueue]) throws(SystemError) {
    var loops: [LoopHandle] = []
    for queue in lookUps { loops.append(try LoopHandle(queue)) }
    (first, self.loops) = (loops[0], loops)
  }

  /// A loop that runs.
  struct Running: Sendable {
    let handle: LoopHandle
    let thread: StartedThread
    let ended: Promise<Void>
  }

  /// Starts the thread of each. If one cannot be started, those before it end.
  func start(_ acceptor: Acceptor.Parts, _ parts: Connection.Parts) async throws(SystemError) -> [Running] {
    var running: [Running] = []
    do throws(SystemError) {
      for handle in loops {
        let ended = Promise<Void>()
        let thread = try StartedThread(name: "regd-loop-\(running.count + 1)", niceness: 0) {
          EventLoop(handle, handle === acceptor.loops.first ? Acceptor(acceptor) : nil, acceptor.rules, parts).run()
          ended.fulfill(())
        }
        running.append(Running(handle: handle, thread: thread, ended: ended))
      }
    } catch {
      await Self.end(running)
      throw error
    }
    return running
  }

  /// Ends the threads, when they have done what they were told before.
  static func end(_ running: [Running]) async {
    for loop in running { loop.handle.post(.order(.end)) }
    for loop in running {
      await loop.ended.value()
      loop.thread.join()
    }
  }

  /// Tells all loops, and returns at once.
  func post(_ order: LoopHandle.Order) {
    for loop in loops { loop.post(.order(order)) }
  }

  /// Tells all loops, and returns when they have done it. They must not end before.
  func tell(_ order: LoopHandle.Order) async {
    post(order)
    for loop in loops { await loop.roundTrip() }
  }

  var pulses: [Pulse] {
    loops.enumerated().map { number, loop in
      Pulse("event loop \(number + 1)") { answered in loop.post(.question(answered)) }
    }
  }
}

extension LoopHandle {
  /// Returns when the loop has done what it was told before.
  func roundTrip() async {
    let done = Promise<Void>()
    post(.question { done.fulfill(()) })
    await done.value()
  }
}
