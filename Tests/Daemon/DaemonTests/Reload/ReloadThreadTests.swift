import Linux
import Synchronization
import TestDoubles
import TestKit
import Testing
import WireProtocols

@testable import Daemon

/// A machine whose look-ups of names wait while it is silent.
private final class StagedMachine: Sendable {
  private let asked = Mutex<[SystemNames.Name]>([])
  private let isSilent: Mutex<Bool>
  /// The names that the machine always finds.
  private let quick: Set<SystemNames.Name>
  private let begun = Semaphore()
  private let answers = Semaphore()

  init(isSilent: Bool = true, except quick: Set<SystemNames.Name> = []) {
    self.isSilent = Mutex(isSilent)
    self.quick = quick
  }

  /// The names in the order of their look-ups.
  var names: [SystemNames.Name] { asked.withLock { $0 } }

  var lookUp: SystemNames.LookUp {
    { [self] (name: SystemNames.Name) throws(SystemNames.Missing) -> UInt32 in
      asked.withLock { $0.append(name) }
      begun.signal()
      if !quick.contains(name), isSilent.withLock({ $0 }) {
        answers.wait()
        // for the next look-up that waits
        answers.signal()
      }
      return 4321
    }
  }

  /// Blocks until a look-up has begun.
  func awaitLookUp() { begun.wait() }

  func fallSilent() { isSilent.withLock { $0 = true } }

  /// Answers the look-ups that wait, and all later ones.
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

  /// The problems of a reload, or nil if it has no problems.
  private func refusal(
    _ thread: ReloadThread, _ layers: UnreadConfiguration, after running: Configuration? = nil
  ) async -> String? {
    do throws(ConfigurationError) {
      _ = try await thread.configuration(of: layers, after: running)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("while the machine does not find a user, each reload is refused and names the user; later ones succeed")
  func silent() async throws {
    try await withSource(Self.yaml) { source in
      let machine = StagedMachine()
      let layers = try await source.layers()
      let thread = try ReloadThread(machine.lookUp, limit: .milliseconds(500))
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
    }
  }

  @Test("while the machine does not answer, a reload uses the ids of the running configuration, and refuses new names")
  func lastKnown() async throws {
    let machine = StagedMachine(isSilent: false)
    try await withSource(Self.yaml) { source in
      let layers = try await source.layers()
      let running = try await ReloadThread(machine.lookUp).configuration(of: layers)
      machine.awaitLookUp()
      machine.fallSilent()
      let thread = try ReloadThread(machine.lookUp, limit: .milliseconds(500))
      _ = await refusal(thread, layers)
      try await PostgreSQL.onItsThread { machine.awaitLookUp() }
      let yaml = "socket: {group: \"\"}\naccess: {deny: {uids: [7]}, admin: {users: [ann], groups: []}}\n"
      try await withSource(yaml) { source in
        let next = try await thread.configuration(of: source.layers(), after: running)
        #expect(next.settings.access.rules.denied.uids == [7])
        #expect(next.settings.access.rules.administrators.uids == [4321])
        let warning = "this machine has not found the user ann within 0.5 s, so its last known id, 4321, stays in force"
        #expect(next.settings.unknownMembers.map(\.warning) == [warning])
        #expect(next.names == running.names)
      }
      try await withSource(yaml.replacing("[ann]", with: "[ann, bob]")) { source in
        let words = try await refusal(thread, source.layers(), after: running)
        #expect(words?.contains("access.admin.users: this machine has not found the user \"bob\"") == true)
        #expect(words?.contains("\"ann\"") == false, "\(words ?? "")")
      }
      machine.answer()
    }
  }

  @Test("a new name that the machine has found before it fell silent is used")
  func found() async throws {
    let machine = StagedMachine(isSilent: false, except: [.user("bob")])
    try await withSource(Self.yaml) { source in
      let running = try await ReloadThread(machine.lookUp).configuration(of: source.layers())
      machine.fallSilent()
      let yaml = "socket: {group: \"\"}\naccess: {deny: {users: [bob]}, admin: {users: [ann], groups: []}}\n"
      try await withSource(yaml) { source in
        let layers = try await source.layers()
        var denied: Set<UInt32> = []
        // a busy machine may need more than one try, each with another thread
        while denied.isEmpty {
          let thread = try ReloadThread(machine.lookUp, limit: .milliseconds(500))
          let next = try? await thread.configuration(of: layers, after: running)
          denied = next?.settings.access.rules.denied.uids ?? []
        }
        #expect(denied == [4321])
      }
      machine.answer()
    }
  }

  @Test("a reload whose look-up has no answer ends when regd stops")
  func stopping() async throws {
    try await withSource(Self.yaml) { source in
      let machine = StagedMachine()
      let layers = try await source.layers()
      let thread = try ReloadThread(machine.lookUp, limit: .seconds(86_400))
      let reload = Task { await refusal(thread, layers) }
      try await PostgreSQL.onItsThread { machine.awaitLookUp() }
      reload.cancel()
      #expect(await reload.value?.contains("because regd is stopping") == true)
      machine.answer()
    }
  }

  @Test("a reload reads the ids of users, and finds problems as a start does")
  func reads() async throws {
    let machine = StagedMachine(isSilent: false)
    let thread = try ReloadThread(machine.lookUp)
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
