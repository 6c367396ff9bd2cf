package import Registration

/// `mail.backend: offline`: every mail fails, as if each connection were refused.
package struct OfflineMailBackend: MailBackend {
  package static let name = "offline"

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    OpenMail(ScriptedMail(MailScript([.init(.fault(.offline))])))
  }
}

/// `mail.backend: unavailable`: answers 451 to everything (RFC 5321 section 4.2.3).
package struct UnavailableMailBackend: MailBackend {
  package static let name = "unavailable"

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    OpenMail(ScriptedMail(MailScript([.init(.fault(.unavailable))])))
  }
}

/// `mail.backend: scripted`: plays a script. Its keys are in `mail.scripted`.
package struct ScriptedMailBackend: MailBackend {
  package static let name = "scripted"

  private let script: MailScript

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    let key = "mail.scripted.send"
    let texts = keys.list(key, default: ["accept"])
    if texts.isEmpty { keys.refuse(key, "must have at least one step, such as accept") }
    var steps: [MailScript.Step] = []
    for text in texts {
      do throws(MailScript.Step.Malformed) { steps.append(try MailScript.Step(text)) } catch {
        keys.refuse(key, "\"\(text)\" is not a step: \(error.message)")
      }
    }
    script = MailScript(steps, repeats: keys.flag("mail.scripted.repeat", default: false))
  }

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    OpenMail(ScriptedMail(script))
  }
}

/// Plays a script, and delivers no mail.
package actor ScriptedMail: MailService {
  private let script: MailScript
  private var position = MailScript.Position()

  package init(_ script: MailScript) { self.script = script }

  package func send(_ mail: Mail) async throws(MailFailure) {
    let step = position.next(in: script, to: mail.to.key)
    if step.delay > .zero {
      do { try await Task.sleep(for: step.delay) } catch { throw .cancelled }
    }
    if let failure = step.failure { throw failure }
  }
}
