internal import JSONRPC
internal import Localization
internal import Reasons
package import Registration
internal import WireProtocols

/// The operations that begin and end a hold, during which changes of the store wait. A hold lasts for a second at most.
package struct StoreHolds: Sendable {
  package typealias Result = Swift.Result<(name: String, left: Duration), SwitchableEngine.HoldFailure>

  let hold: @Sendable (_ length: Duration) async -> Result
  let release: @Sendable (_ name: String) -> Bool

  package init(_ store: SwitchableEngine) {
    hold = { length in
      do throws(SwitchableEngine.HoldFailure) { return .success(try await store.hold(for: length)) } catch {
        return .failure(error)
      }
    }
    release = store.release
  }
}

/// `daemon.holdStore` and `daemon.releaseStore`: hold up changes of the store for up to a second, so that a move to
/// another store can copy the last changes and switch.
enum HoldMethods {
  private static let longest = Int64(SwitchableEngine.longestHold / .milliseconds(1))
  private static let milliseconds = Parameter(
    "milliseconds", .integer, required: false, "The maximum length of the pause: 1 to 1000 (default: 1000).",
    .between(1, 1000))
  private static let name = Parameter("hold", .string, required: true, "The hold from the reply to daemon.holdStore.")

  static func hold(_ holds: StoreHolds) -> Method {
    Method(
      "daemon.holdStore",
      "Pauses changes to the store for at most a second. Replies when all changes that had begun are complete.",
      access: .admin, parameters: [milliseconds],
      result: .object(
        .init("hold", .string("The hold to pass to daemon.reload and daemon.releaseStore.")),
        .init("milliseconds", .integer("How long the pause lasts unless it is released."))),
      errors: [.busy],
      .suspending { parameters, _ throws(RPCError) in
        let length = parameters[milliseconds]?.integer ?? longest
        guard (1...longest).contains(length) else {
          throw .invalidParams(
            LocalizedMessage(ParameterMessageKey.milliseconds, ["maximum": .number(Int(longest))]),
            field: "milliseconds")
        }
        return { _ in reply(to: await holds.hold(.milliseconds(length))) }
      })
  }

  static func release(_ holds: StoreHolds) -> Method {
    Method(
      "daemon.releaseStore", "Lets changes to the store continue; does nothing if the pause has ended.", access: .admin,
      parameters: [name], result: .object(.init("released", .boolean("Whether the pause was still in force."))),
      .immediate { parameters, _, result in
        let released = holds.release(parameters[name]?.string ?? "")
        result.object { $0.member("released", released) }
      })
  }

  private static func reply(to result: StoreHolds.Result) -> Reply {
    switch result {
    case .success(let (name, left)):
      .object { writer in
        writer.member("hold", name)
        writer.member("milliseconds", Int(left / .milliseconds(1)))
      }
    case .failure(.held): .error(.busy(LocalizedMessage(ServerMessageKey.holds), retryAfter: 1))
    case .failure(.busy):
      .error(.busy(LocalizedMessage(ServerMessageKey.changes), retryAfter: 1))
    case .failure(.stopping): .error(.draining)
    }
  }
}
