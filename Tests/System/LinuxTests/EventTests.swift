import Linux
import Testing

/// Signals belong to the process, so these tests run one after another.
@Suite(.serialized)
struct EventTests {
  @Test("Polling returns the readiness of each descriptor in the order asked, and ends at the timeout")
  func polling() throws {
    let pair = try Descriptor.pipe()
    let (reading, writing) = (pair.first.number, pair.second.number)
    #expect(Polling.wait(for: [.readable(reading), .writable(writing)], atMost: .zero) == [false, true])
    #expect(!Polling.isReady(.readable(reading), atMost: .milliseconds(1)))
    try pair.second.writeAll("x")
    #expect(Polling.wait(for: [.readable(reading), .writable(writing)]) == [true, true])
  }

  @Test("Each signal of an event counter ends exactly one wait")
  func counter() throws {
    let counter = try EventCounter()
    counter.signal()
    counter.signal()
    #expect(counter.wait())
    #expect(counter.wait(atMost: .seconds(300)))
    #expect(!counter.wait(atMost: .zero))
  }

  @Test("Each signal of a semaphore ends exactly one wait, also when many threads wait")
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

  @Test("A received signal is recorded and can be taken once")
  func noted() {
    NotedSignal.listen(for: [.windowSize], once: true)
    defer { Signal.windowSize.restoreDefault() }
    #expect(NotedSignal.last == nil)
    Signal.windowSize.send(to: ThisProcess.id)
    while NotedSignal.last == nil { ThisThread.sleep(for: .milliseconds(1)) }
    #expect(NotedSignal.take() == .windowSize)
    #expect(NotedSignal.take() == nil)
  }

  @Test("Counting free descriptors leaves them free")
  func freeDescriptors() {
    #expect(ThisProcess.freeDescriptors(upTo: 3) == 3)
    #expect(ThisProcess.freeDescriptors(upTo: 3) == 3)
  }

  @Test("The descriptor of a running process is not readable, and a missing process has no descriptor")
  func process() throws {
    let own = try Descriptor.ofProcess(ThisProcess.id)
    #expect(!Polling.isReady(.readable(own.number), atMost: .zero))
    #expect(throws: SystemError.self) { _ = try Descriptor.ofProcess(1 << 22 + 1) }
  }
}
