package import LoginVerdicts
internal import Registration

/// The command line of `regd-login`. It is that of `regctl pam` and `regctl helper`.
package struct LoginArguments: Equatable, Sendable {
  /// The protocol of the program that starts the helper.
  package enum Helper: String, CaseIterable, Sendable {
    case pam, ejabberd, apache, squid, checkpassword

    /// The exit status if regd has decided nothing. Helpers that answer many questions end with 1, because each question has
    /// its own answer.
    package var awayStatus: Int32 {
      switch self {
      // EX_TEMPFAIL of sysexits.h
      case .pam, .apache: 75
      case .checkpassword: 111
      case .ejabberd, .squid: 1
      }
    }

    fileprivate var hasGroups: Bool { [.pam, .apache, .squid].contains(self) }

    /// Takes the words that name a helper, or returns nil.
    fileprivate init?(_ words: inout ArraySlice<String>) {
      switch words.popFirst() {
      case "pam": self = .pam
      case "helper":
        guard let helper = words.popFirst().flatMap(Self.init(rawValue:)), helper != .pam else { return nil }
        self = helper
      default: return nil
      }
    }
  }

  /// Why a command line is wrong.
  package enum Problem: Error, Equatable {
    /// The first words do not name a helper.
    case helper
    case option(String)
    case missingValue(String)
    /// The value of `--seconds`.
    case seconds(String)
    case group(String)
    case wrongAndRefused
    case argument(String)
    /// The program that checkpassword has to run is missing.
    case program
  }

  package static let possibleSeconds = 1...60
  /// The most groups that can be required.
  package static var mostGroups: Int { Groups.most }

  package let helper: Helper
  package var socket: String?
  package var domain: String?
  package var seconds = 8
  /// Whether errors on standard error are JSON.
  package var isJSON = false
  /// The account must be in one of these groups, if there are any.
  package var groups: [String] = []
  /// The verdict for which the exit status of `pam` is 0.
  package var wanted = LoginVerdict.right
  /// Whether `pam` lets in users with the names of this machine's own users.
  package var allowsSystemUsers = false
  /// The program that checkpassword runs, and its arguments.
  package var program: [String] = []

  package init(_ helper: Helper) { self.helper = helper }

  /// Reads a command line. Whatever it accepts has the same meaning for ArgumentParser, which reads the same commands of regctl
  /// and accepts a little more.
  ///
  /// - Parameter words: The arguments, without the program's name.
  package init(_ words: [String]) throws(Problem) {
    var words = words[...]
    guard let helper = Helper(&words) else { throw .helper }
    self.init(helper)
    while let word = words.first, word.hasPrefix("--"), word != "--" {
      words.removeFirst()
      try read(word, &words)
    }
    if let word = words.first, helper != .checkpassword || word.hasPrefix("-") && word != "--" { throw .argument(word) }
    if helper == .checkpassword {
      if words.first == "--" { words.removeFirst() }
      guard !words.isEmpty else { throw .program }
      program = Array(words)
    }
    if groups.count > Groups.most { throw .group(groups[Groups.most]) }
  }

  /// - Parameter rest: The words after the option.
  private mutating func read(_ word: String, _ rest: inout ArraySlice<String>) throws(Problem) {
    switch word {
    case "--json": isJSON = true
    case "--wrong" where helper == .pam: try want(.wrong)
    case "--refused" where helper == .pam: try want(.refused)
    case "--system-users" where helper == .pam: allowsSystemUsers = true
    default:
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard ["--socket", "--domain", "--seconds"].contains(name) || name == "--group" && helper.hasGroups else {
        throw .option(word)
      }
      // ArgumentParser finds no value in `--domain=`
      let isMissing = parts.count == 2 ? parts[1].isEmpty : rest.first.map { $0.hasPrefix("-") } ?? true
      if isMissing { throw .missingValue(name) }
      try assign(name, parts.count == 2 ? String(parts[1]) : rest.removeFirst())
    }
  }

  private mutating func want(_ verdict: LoginVerdict) throws(Problem) {
    guard [.right, verdict].contains(wanted) else { throw .wrongAndRefused }
    wanted = verdict
  }

  private mutating func assign(_ name: String, _ value: String) throws(Problem) {
    switch name {
    case "--socket": socket = value
    case "--domain": domain = value
    case "--group":
      // regd would refuse the name, and its error would be taken for a wrong password
      guard GroupName(value) != nil else { throw .group(value) }
      groups.append(value)
    default:
      guard let number = Int(value), Self.possibleSeconds.contains(number) else { throw .seconds(value) }
      seconds = number
    }
  }

  /// The arguments as words that `init` reads again.
  package var words: [String] {
    var words = helper == .pam ? ["pam"] : ["helper", helper.rawValue]
    if isJSON { words.append("--json") }
    if wanted == .wrong { words.append("--wrong") }
    if wanted == .refused { words.append("--refused") }
    if allowsSystemUsers { words.append("--system-users") }
    for (name, value) in [("--socket", socket), ("--domain", domain)] {
      guard let value else { continue }
      words += value.isEmpty ? [name, value] : ["\(name)=\(value)"]
    }
    words.append("--seconds=\(seconds)")
    words += groups.map { "--group=\($0)" }
    return helper == .checkpassword ? words + ["--"] + program : words
  }
}
