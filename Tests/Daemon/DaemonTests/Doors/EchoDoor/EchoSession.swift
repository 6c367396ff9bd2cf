import WireProtocols

/// One connection of the echo door.
final class EchoSession: ProtocolSession {
  private let greeting: String
  private let longest: Int
  private let isFree: @Sendable (String) async -> Bool
  private var line: [UInt8] = []
  private var held = SecureBuffer()
  private var asked: Set<Int> = []
  private var last = 0
  private var isEnding = false

  init(_ greeting: String, longest: Int, isFree: @escaping @Sendable (String) async -> Bool) {
    (self.greeting, self.longest, self.isFree) = (greeting, longest, isFree)
  }

  var output: UnsafeRawBufferPointer { held.bytes }
  func removeOutput() { held.removeAll() }
  var pendingBytes: Int { held.count }
  var inFlight: Int { asked.count }

  func readiness(within room: Int) -> SessionReadiness {
    SessionReadiness(
      output: held.count, inFlight: asked.count, takesInput: !isEnding && asked.isEmpty, isEnding: isEnding)
  }

  func greet() { say(greeting) }

  func receive(_ bytes: UnsafeRawBufferPointer, within budget: OutputBudget, _ start: (DeferredWork) -> Void)
    -> Progress
  {
    var progress = Progress(bytes: isEnding ? bytes.count : 0, requests: 0)
    for byte in bytes.dropFirst(progress.bytes) where asked.isEmpty && held.count < budget.output && !isEnding {
      progress.bytes += 1
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        isEnding = line.count > longest
        continue
      }
      progress.requests += 1
      answer(start)
    }
    return progress
  }

  private func answer(_ start: (DeferredWork) -> Void) {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    guard text.first == "?" else { return say(text) }
    last += 1
    asked.insert(last)
    start(DeferredWork(last, .waiting { [isFree] _ in await isFree(String(text.dropFirst())) }))
  }

  func take(_ answer: any Sendable, to number: Int, _ start: (DeferredWork) -> Void) {
    asked.remove(number)
    say(answer as? Bool == true ? "free" : "not free")
  }

  func finish(_ start: (DeferredWork) -> Void) {}
  func end(because refusal: Refusal) { isEnding = true }
  func adopt(_ limits: Limits, _ access: Access) {}
  func drain() { isEnding = true }
  func shutDown() {}
  func expire(_ number: Int, afterSeconds seconds: Int) {}
  func abandon() { line = [] }

  private func say(_ text: String) { Array("\(text)\n".utf8).withUnsafeBytes { held.append($0) } }
}
