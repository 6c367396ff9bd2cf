import Linux
import Testing

/// Signals belong to the process, so that these tests run one after the other.
@Suite(.serialized)
struct EventTests {
  @Test("What is ready is told in the order of the question; without anything the time ends the wait")
  func polling() throws {
    let pair = try Descriptor.pipe()
    let (reading, writing) = (pair.first.number, pair.second.number)
    #expect(Polling.wait(for: [.readable(reading), .writable(writing)], atMost: .zero) == [false, true])
    #expect(!Polling.isReady(.readable(reading), atMost: .milliseconds(1)))
    try pair.second.writeAll("x")
    #expect(Polling.wait(for: [.readable(reading), .writable(writing)]) == [true, true])
  }

  @Test("Each event is taken once")
  func counter() throws {
    let counter = try EventCounter()
    counter.signal()
    counter.signal()
    #expect(counter.wait())
    #expect(counter.wait(atMost: .seconds(300)))
    #expect(!counter.wait(atMost: .zero))
  }

  @Test("Each signal of a semaphore is taken once, and ends one of many waits")
  func semaphore() throws {
    let (semaphore, taken) = (Semaphore(), Semaphore())
    semaphore.signal()
    #expect(semaphore.wait())
    #expect(!semaphore.wait(atMost: .zero))
    #expect(!semaphore.wait(atMost: .milliseconds(1)))
    #expect(!semaphore.wait(atMost: .seconds(-1)))
    let threads = try (0..<8).map { number in
      try StartedThread(name: "test", niceness: 0) {
        let isInTime = number == 0 ? semaphore.wait() : semaphore.wait(atMost: .seconds(3600))
        if isInTime { taken.signal() }
      }
    }
    for thread in threads {
      semaphore.signal()
      #expect(taken.wait(atMost: .seconds(3600)))
      thread.detach()
    }
    #expect(!semaphore.wait(atMost: .zero))
  }

  @Test("A signal is noted, told once, and its second coming is its own affair")
  func noted() {
    NotedSignal.listen(for: [.windowSize], once: true)
    defer { Signal.windowSize.restoreDefault() }
    #expect(NotedSignal.last == nil)
    Signal.windowSize.send(to: ThisProcess.id)
    while NotedSignal.last == nil { ThisThread.sleep(for: .milliseconds(1)) }
    #expect(NotedSignal.take() == .windowSize)
    #expect(NotedSignal.take() == nil)
  }

  @Test("Descriptors that are free are counted, and free afterwards")
  func freeDescriptors() {
    #expect(ThisProcess.freeDescriptors(upTo: 3) == 3)
    #expect(ThisProcess.freeDescriptors(upTo: 3) == 3)
  }

  @Test("The end of a process can be waited for")
  func process() throws {
    let own = try Descriptor.ofProcess(ThisProcess.id)
    #expect(!Polling.isReady(.readable(own.number), atMost: .zero))
    #expect(throws: SystemError.self) { _ = try Descriptor.ofProcess(1 << 22 + 1) }
  }
}
