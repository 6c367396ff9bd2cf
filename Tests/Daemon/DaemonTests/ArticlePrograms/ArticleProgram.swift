import Glibc
import RegdClient
import RegdProcesses
import TestKit

/// A program that stands in an article, run as it stands there: a web server that asks a regd.
final class ArticleProgram {
  enum Language: String, CaseIterable {
    case python, javascript

    var interpreter: String { self == .python ? "python3" : "node" }

    /// CI has both, and there the absence is a failure.
    static var areHere: Bool {
      getenv("CI") != nil
        || allCases.allSatisfy { (try? Program.run(["sh", "-c", "command -v \($0.interpreter)"], in: "/")) != nil }
    }
  }

  struct Answer: CustomStringConvertible {
    let status: String
    let head: String
    let body: JSONValue

    /// The claim that the browser gets; nil for none.
    var claim: String? { head.firstMatch(of: /Set-Cookie: claim=([0-9a-f]+); HttpOnly; Secure/).map { String($0.1) } }
    var description: String { "\(status) \(body.text)" }
  }

  private let program: Program
  private let directory: String
  private let url: String

  init(_ article: String, _ language: Language, _ regd: RunningRegd) throws {
    directory = regd.directory
    guard let code = Article.named(article)?.block(language.rawValue) else {
      throw ProgramFailure(description: "\(article) has no block of \(language.rawValue)")
    }
    let file = "\(directory)/\(article).\(language.rawValue)"
    try TextFile.write(code, to: file)
    program = try Program.start(
      ["env", "REGD_SOCKET_PATH=\(regd.socket)", "PORT=0", language.interpreter, file], in: directory)
    let said = program.read { $0.hasSuffix("\n") }
    guard let line = said.split(separator: "\n").first, line.hasPrefix("http://127.0.0.1:") else {
      program.end()
      throw ProgramFailure(description: "it said \(said) \(TextFile.read("\(directory)/errors") ?? "")")
    }
    url = String(line)
  }

  deinit { program.end() }

  /// Sends a form as a browser does.
  ///
  /// - Parameters:
  ///   - claim: What the browser has as a cookie.
  ///   - address: Where the proxy says that the browser is.
  func post(
    _ path: String, _ fields: [String: String], claim: String? = nil, from address: String? = nil
  ) throws -> Answer {
    var words = ["curl", "-sS", "-i", "--noproxy", "*", "--max-time", "600", "-X", "POST", "\(url)\(path)"]
    for (name, value) in fields { words += ["--data-urlencode", "\(name)=\(value)"] }
    if let claim { words += ["-H", "Cookie: other=x; claim=\(claim)"] }
    if let address { words += ["-H", "X-Real-IP: \(address)"] }
    return try answer(to: words)
  }

  func get(_ path: String) throws -> Answer {
    try answer(to: ["curl", "-sS", "-i", "--noproxy", "*", "--max-time", "600", "\(url)\(path)"])
  }

  private func answer(to words: [String]) throws -> Answer {
    let text = try Program.run(words, in: directory).replacing("\r\n", with: "\n")
    let end = text.firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
    let status = text.split(separator: " ").dropFirst().first.map(String.init) ?? "?"
    return Answer(
      status: status, head: String(text[..<end]), body: JSONValue(text[end...].drop { $0 == "\n" }.utf8) ?? .null)
  }
}
