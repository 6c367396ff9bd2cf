internal import ConfigurationFile
internal import Linux
internal import RehearsedMails
internal import RehearsedNetworks

/// The kind of flows that are played in an environment.
package enum EnvironmentKind: Sendable {
  case network, mail
  /// The flows about who may register.
  case admission
}

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

extension Script {
  init(always step: Step) { self.init(checkEmail: [step], register: [step], signIn: [step]) }
}

extension ConfigurationFile.Value {
  var text: String? { if case .scalar(let text) = self { text } else { nil } }
}
