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

/// `daemon.acceptStore`: continues with a database that has gone back to an earlier state (`StoreContinuity`).
enum AcceptStoreMethod {
  /// - Parameter accept: Accepts the database, and returns whether it had gone back.
  static func make(_ accept: @escaping @Sendable () -> Bool) -> Method {
    Method(
      "daemon.acceptStore",
      "Accepts the earlier state if the database has gone back to one; otherwise does nothing.", access: .admin,
      result: .object(.init("accepted", .boolean("Whether the database had gone back."))),
      .suspending { _, _ in
        return { cancellation in
          guard cancellation.beginCommit() else { return .error(.cancelled) }
          return .done { $0.member("accepted", accept()) }
        }
      })
  }
}

/// `daemon.metrics`: the metrics for a monitoring system.
enum MetricsMethod {
  /// - Parameter text: Returns the metrics as OpenMetrics text.
  static func make(_ text: @escaping @Sendable () -> String) -> Method {
    Method(
      "daemon.metrics", "Returns all metrics as OpenMetrics text.", access: .observe,
      result: .named("Metrics", .object(.init("text", .string("OpenMetrics 1.0.")))), repetition: .yes,
      .immediate { _, _, result in
        let text = text()
        result.object { $0.member("text", text) }
      })
  }
}

/// The outcome of reading the configuration again.
package enum ReloadOutcome: Equatable, Sendable {
  /// The configuration is in force, or, after a trial, could be put in force.
  ///
  /// - Parameters:
  ///   - generation: The generation of the configuration in force.
  ///   - changed: The keys whose values differ from the previous configuration.
  case done(generation: Int, changed: [String])
  /// The configuration is wrong. Nothing has changed.
  case refused([Problem])
  /// The daemon is stopping.
  case stopping
  /// The queue of waiting reloads is full.
  case busy

  /// One mistake in the configuration.
  package struct Problem: Equatable, Sendable {
    /// A file and a line, a variable, an argument, a credential, or `default value`.
    package let place: String
    /// The wrong key, or nil if it could not be identified.
    package let key: String?
    /// The mistake in English, like the output of `regd --check-config` and the log.
    package let message: String

    package init(place: String, key: String?, message: String) {
      self.place = place
      self.key = key
      self.message = message
    }
  }
}

/// `daemon.reload`: reads the configuration again, and answers once it is in force or refused.
package enum ReloadMethod {
  /// Reads the configuration again.
  ///
  /// - Parameters:
  ///   - isTrial: Whether to check the configuration without applying it.
  ///   - hold: The name of the hold (`daemon.holdStore`) in which a move has completed its copy of the store. The copy
  ///     then replaces the present store. Nil to keep the store.
  package typealias Reload = @Sendable (_ isTrial: Bool, _ hold: String?) async -> ReloadOutcome

  private static let dryRun = Parameter(
    "dryRun", .boolean, required: false, "Checks the configuration and returns what would change, without applying it.")
  private static let hold = Parameter(
    "hold", .string, required: false,
    "The hold from daemon.holdStore, if this reload switches to the store to which regctl has moved the accounts.")

  static func make(_ reload: @escaping Reload) -> Method {
    Method(
      "daemon.reload", "Reads the configuration again, and applies or refuses it as a whole.", access: .admin,
      parameters: [dryRun, hold],
      result: .object(
        .init("generation", .integer("The generation of the configuration in force now.")),
        .init("changed", .array(.string(""), "The keys whose values have changed."))),
      errors: [.configurationRefused, .busy],
      .suspending { parameters, _ in
        let isTrial = parameters[dryRun]?.kind == .true
        let hold = parameters[hold]?.string
        return { cancellation in
          guard isTrial || cancellation.beginCommit() else { return .error(.cancelled) }
          return reply(to: await reload(isTrial, hold))
        }
      })
  }

  private static func reply(to outcome: ReloadOutcome) -> Reply {
    switch outcome {
    case .done(let generation, let changed):
      .done { writer in
        writer.member("generation", generation)
        writer.array("changed") { writer in for key in changed { writer.value(key) } }
      }
    case .refused(let problems): .error(refusal(problems))
    case .stopping: .error(.draining)
    case .busy: .error(.busy(LocalizedMessage(ServerMessageKey.reloads), retryAfter: 1))
    }
  }

  private static func refusal(_ problems: [ReloadOutcome.Problem]) -> RPCError {
    RPCError(
      .configurationRefused, LocalizedMessage(ConfigurationMessageKey.refused, ["count": .number(problems.count)]),
      problems: problems.map { problem in
        let key = problem.key.map { [ErrorProblem.Member("key", $0)] } ?? []
        return ErrorProblem([.init("place", problem.place)] + key, .text(problem.message))
      })
  }
}
