internal import ConfigurationFile
internal import Linux
internal import RehearsedMails
internal import RehearsedNetworks

/// A row of the matrix: a configuration file, and its section `environment`.
struct Environment: Sendable {
  let file: String
  let name: String
  let summary: String
  /// The condition of the network and the store, or `success` if the file's `environment.gives` names a situation of
  /// mail or admission.
  let condition: EnvironmentCondition
  /// The mail system, or nil if this is not an environment of mail.
  let mail: MailEnvironment?
  /// The situation of admission, or nil if this is not an environment of admission.
  let admission: AdmissionSituation?
  /// Whether the file configures doors.
  let hasDoors: Bool
  /// The store in the file, or nil if it names none.
  let storeName: String?
  /// The script of the file's network, or nil if regd does not simulate that network, and the file is used unchanged.
  let script: Script?

  /// Why the matrix cannot play a file.
  struct Unplayable: Error, CustomStringConvertible {
    let description: String
  }

  init(_ file: String) throws(Unplayable) {
    guard let text = try? FileReading.text(file) else { throw Unplayable(description: "\(file) cannot be read") }
    let entries: [ConfigurationFile.Entry]
    do { entries = try ConfigurationFile(yaml: text).entries } catch {
      throw Unplayable(description: "\(file):\(error.line): \(error.message)")
    }
    let values = Dictionary(entries.map { ($0.path.joined(separator: "."), $0.value) }) { first, _ in first }
    guard let name = values["environment.name"]?.text, let gives = values["environment.gives"]?.text else {
      throw Unplayable(description: "\(file) has no section \"environment\" with a name and what it gives")
    }
    let situation = MailSituation(rawValue: gives)
    admission = AdmissionSituation(rawValue: gives)
    let isOfOthers = situation != nil || admission != nil
    guard let condition = EnvironmentCondition(rawValue: gives) ?? (isOfOthers ? .success : nil) else {
      throw Unplayable(description: "\(file) gives \"\(gives)\", of which this matrix knows nothing")
    }
    self.file = file
    self.name = name
    summary = values["environment.summary"]?.text ?? ""
    self.condition = condition
    mail = if let situation { try MailEnvironment(situation, values, file) } else { nil }
    hasDoors = values.keys.contains { $0 == "doors" || $0.hasPrefix("doors.") }
    storeName = values["store.backend"]?.text
    script = try Self.script(values, file)
  }

  private static func script(_ values: [String: ConfigurationFile.Value], _ file: String) throws(Unplayable) -> Script?
  {
    switch values["network.backend"]?.text ?? "none" {
    case "none": return Script()
    case "offline": return Script(always: .init(.fault(.offline)))
    case "unavailable":
      let seconds = values["network.unavailable.retryAfterSeconds"]?.text.map { Int($0) } ?? 30
      return Script(always: .init(.fault(.unavailable), retryAfterSeconds: seconds == 0 ? nil : seconds))
    case "scripted":
      return Script(
        checkEmail: try steps(values["network.scripted.checkEmail"], file),
        register: try steps(values["network.scripted.register"], file),
        signIn: try steps(values["network.scripted.signIn"], file),
        repeats: values["network.scripted.repeat"]?.text == "true")
    default: return nil
    }
  }

  private static func steps(
    _ value: ConfigurationFile.Value?, _ file: String
  ) throws(Unplayable) -> [Script.Step] {
    guard case .list(let texts) = value else { return [Script.Step(.accept)] }
    var steps: [Script.Step] = []
    for text in texts {
      do throws(Script.Step.Malformed) { steps.append(try Script.Step(text)) } catch {
        throw Unplayable(description: "\(file): \"\(text)\" cannot be played: \(error.message)")
      }
    }
    return steps
  }

  /// The file's `environment.gives`.
  var gives: String { mail?.situation.rawValue ?? admission?.rawValue ?? condition.rawValue }

  var kind: EnvironmentKind { mail != nil ? .mail : admission != nil ? .admission : .network }

  /// The only step for registrations, or nil if the script has several, or there is no script.
  var step: Script.Step? { script.flatMap { $0.register.count == 1 ? $0.register[0] : nil } }
}

/// The kind of flows that are played in an environment.
package enum EnvironmentKind: Sendable {
  case network, mail
  /// The flows about who may register.
  case admission
}

/// The mail system of an environment whose flows are about mail.
struct MailEnvironment: Sendable {
  /// The situation in the file's `environment.gives`.
  let situation: MailSituation
  /// The mail system's reaction to each mail, until a flow makes the mail system work.
  let step: MailScript.Step
  /// The sender of regd's mails.
  let from: String
  /// Whether regd writes mails to files, where the matrix reads them.
  let writesFiles: Bool

  init(
    _ situation: MailSituation, _ values: [String: ConfigurationFile.Value], _ file: String
  ) throws(Environment.Unplayable) {
    func unplayable(_ what: String) -> Environment.Unplayable {
      Environment.Unplayable(description: "\(file) gives \"\(situation.rawValue)\", and \(what)")
    }
    guard values["registration.verification"]?.text == "required" else {
      throw unplayable("needs registration.verification: required, without which there are no codes to mail")
    }
    let backend = values["mail.backend"]?.text ?? "none"
    switch backend {
    case "file": step = .init(.accept)
    case "offline": step = .init(.fault(.offline))
    case "unavailable": step = .init(.fault(.unavailable))
    case "scripted":
      let texts = if case .list(let texts) = values["mail.scripted.send"] { texts } else { ["accept"] }
      let text = texts.first ?? ""
      do throws(MailScript.Step.Malformed) { step = try MailScript.Step(text) } catch {
        throw unplayable("\"\(text)\" cannot be played: \(error.message)")
      }
      guard step.recipient == nil else {
        throw unplayable("begins with \"\(text)\"; the first step is played for every mail, and must have no to=")
      }
    default:
      throw unplayable(
        "has mail.backend \(backend); the matrix reads the codes of its mails, and plays file, offline, unavailable and scripted"
      )
    }
    self.situation = situation
    from = values["mail.from"]?.text ?? ""
    writesFiles = backend == "file"
  }
}

extension Script {
  init(always step: Step) { self.init(checkEmail: [step], register: [step], signIn: [step]) }
}

extension ConfigurationFile.Value {
  var text: String? { if case .scalar(let text) = self { text } else { nil } }
}

/// The errors that every flow expects under a condition.
extension EnvironmentCondition {
  /// The error that a caller gets from a call that needs the upstream.
  struct Fault: Equatable, Sendable {
    let reason: String
    let isRetryable: Bool
    let leavesPending: Bool
  }

  /// The error of each call that needs the upstream, or nil unless all such calls fail.
  var fault: Fault? {
    switch self {
    case .offline: Fault(reason: "network.offline", isRetryable: true, leavesPending: false)
    case .unavailable: Fault(reason: "network.unavailable", isRetryable: true, leavesPending: false)
    case .untrusted: Fault(reason: "network.untrusted", isRetryable: false, leavesPending: false)
    case .rejected: Fault(reason: "network.rejected", isRetryable: false, leavesPending: false)
    case .throttled: Fault(reason: "network.rejected", isRetryable: true, leavesPending: false)
    case .timeout: Fault(reason: "network.timeout", isRetryable: true, leavesPending: true)
    case .emptyResponse: Fault(reason: "network.emptyResponse", isRetryable: true, leavesPending: true)
    case .malformedResponse: Fault(reason: "network.malformedResponse", isRetryable: true, leavesPending: true)
    case .failed: Fault(reason: "network.failed", isRetryable: true, leavesPending: true)
    case .atWork: Fault(reason: "network.timeout", isRetryable: true, leavesPending: true)
    case .hiddenSuccess: Fault(reason: "network.unavailable", isRetryable: true, leavesPending: false)
    case .success, .taken, .recovering, .flapping, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
      .storeReplaced:
      nil
    }
  }

  /// The reason in the error of a call that changes an account, or nil if the store works.
  var storeFault: String? {
    switch self {
    case .storeReadOnly: "store.readOnly"
    case .storeFull: "store.full"
    case .storeLocked, .storeCommitFails, .storeReplaced: "store.unavailable"
    case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse,
      .malformedResponse, .failed, .taken, .recovering, .atWork, .hiddenSuccess, .flapping:
      nil
    }
  }

  /// Whether the environment changes from call to call, without an action of the flow.
  var changesByItself: Bool { [.recovering, .flapping, .atWork, .hiddenSuccess].contains(self) }
}
