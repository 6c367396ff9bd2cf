import Dialogues
import Linux
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// A machine whose look-ups of names wait while it is silent.
private final class StagedMachine: Sendable {
  private let asked = Mutex<[SystemNames.Name]>([])
  private let isSilent = Mutex(true)
  private let begun = Semaphore()
  private let answers = Semaphore()

  /// The names in the order of their look-ups.
  var names: [SystemNames.Name] { asked.withLock { $0 } }

  var lookUps: SystemNames {
    SystemNames { [self] name in
      asked.withLock { $0.append(name) }
      begun.signal()
      if isSilent.withLock({ $0 }) { answers.wait() }
      return 4321
    }
  }

  /// Blocks until a look-up has begun.
  func awaitLookUp() { begun.wait() }

  /// Answers the look-up that waits, and all later ones.
  func answer() {
    isSilent.withLock { $0 = false }
    answers.signal()
  }
}

@Suite("Reload: users and groups", .timeLimit(.minutes(10)))
struct ReloadThreadTests {
  private static let yaml = "socket: {group: \"\"}\naccess: {admin: {users: [ann], groups: []}}\n"

  /// Calls `body` with a source whose file has this text.
  private func withSource(_ yaml: String, _ body: (ConfigurationSource) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/regd.yaml"
      try TextFile.write(yaml, to: file)
      try await body(ConfigurationSource(file: file, arguments: [], environment: ["HOME": directory]))
    }
  }

  /// The problems of a reload; nil if it has none.
  private func refusal(_ thread: ReloadThread, _ layers: UnreadConfiguration) async -> String? {
    do throws(ConfigurationError) {
      _ = try await thread.configuration(of: layers)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("while the machine does not find a user, each reload is refused and names the user; later ones succeed")
  func silent() async throws {
    try await withSource(Self.yaml) { source in
      let machine = StagedMachine()
      let names = machine.lookUps
      let layers = try await source.layers()
      let thread = try ReloadThread(names, limit: .milliseconds(500))
      _ = await refusal(thread, layers)
      try await PostgreSQL.onItsThread { machine.awaitLookUp() }
      for _ in 0..<2 {
        let words = await refusal(thread, layers)
        #expect(words?.contains("has not found the user \"ann\" within 0.5 s") == true, "\(words ?? "")")
        #expect(words?.contains("getent passwd ann") == true, "\(words ?? "")")
      }
      #expect(machine.names == [.user("ann")], "no look-up begins while another one has no answer")
      machine.answer()
      // a busy machine may need more than one try
      while await refusal(thread, layers) != nil {}
      #expect(names.current == nil)
    }
  }

  @Test("a reload whose look-up has no answer ends when regd stops")
  func stopping() async throws {
    try await withSource(Self.yaml) { source in
      let machine = StagedMachine()
      let layers = try await source.layers()
      let thread = try ReloadThread(machine.lookUps, limit: .seconds(86_400))
      let reload = Task { await refusal(thread, layers) }
      try await PostgreSQL.onItsThread { machine.awaitLookUp() }
      reload.cancel()
      #expect(await reload.value?.contains("because regd is stopping") == true)
      machine.answer()
    }
  }

  @Test("a reload reads the ids of users, and finds problems as a start does")
  func reads() async throws {
    let machine = StagedMachine()
    machine.answer()
    let thread = try ReloadThread(machine.lookUps)
    try await withSource(Self.yaml) { source in
      let read = try await thread.configuration(of: source.layers())
      #expect(read.settings.access.rules.administrators.uids == [4321])
    }
    try await withSource("limts: {depth: 4}\nsocket: {group: \"\"}") { source in
      let layers = try await source.layers()
      let words = await refusal(thread, layers)
      #expect(words?.contains("limts.depth: unknown") == true, "\(words ?? "")")
    }
  }
}
