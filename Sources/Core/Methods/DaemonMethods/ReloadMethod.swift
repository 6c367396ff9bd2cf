internal import JSONRPC
internal import Localization
internal import Reasons
internal import WireProtocols

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
