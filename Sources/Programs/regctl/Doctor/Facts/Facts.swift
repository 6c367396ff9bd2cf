internal import Linux
internal import RegdClient
internal import Sentences

/// What the doctor has seen. All judging is by these values, so that a test can play every machine.
struct Facts {
  var socket = SocketFacts()
  var user = UserFacts()
  var daemon = DaemonFacts()
  var configuration = ConfigurationFacts()
  var places: [PlaceFacts] = []
  var machine = MachineFacts()
  var upstream: UpstreamFacts?
}

struct SocketFacts {
  enum File: Equatable {
    case missing
    /// This directory may not be entered.
    case hidden(directory: String)
    case socket(owner: UInt32, group: UInt32, permissions: UInt32)
    /// Something else, and the sentence that says what.
    case other(DoctorSocketSentence)
  }

  enum Connection: Equatable {
    case accepted
    /// No process listens (ECONNREFUSED).
    case refused
    /// EACCES.
    case denied
    case failed(Sentence.Content)
  }

  struct Lock: Equatable {
    var isRegular = true
    var links = 1
    var owner: UInt32 = 0
    /// The owner of the directory.
    var directoryOwner: UInt32 = 0
    /// Nil if it may not be read.
    var content: String?
    /// Whether the process that it names runs; nil if it names none.
    var holderRuns: Bool?
  }

  var path = "/run/regd/regd.sock"
  var file = File.missing
  var connection = Connection.failed(.sentence(Sentence(DoctorSentence.notTried)))
  /// Nil if there is none, or it cannot be seen.
  var lock: Lock?
}

struct UserFacts {
  var id: UInt32 = 0
  var name = "root"
  /// Of this session.
  var groups: Set<UInt32> = []
  /// Of the user's next session.
  var groupsToBe: Set<UInt32> = []
  /// Names of all groups that a finding may name.
  var groupNames: [UInt32: String] = [:]
  /// The groups that regd admits, by name.
  var regdGroups: [String: UInt32] = [:]

  var isRoot: Bool { id == 0 }
  func groupName(_ id: UInt32) -> String { groupNames[id] ?? "\(id)" }
}

struct DaemonFacts {
  enum Answer: Equatable {
    case result(JSONValue)
    /// With the problems that the error names, such as those of a configuration, as lines.
    case refused(code: Int, message: String, problems: [String] = [])
    case none(Sentence.Content)

    /// No request was made.
    static let notAsked = Answer.none(.sentence(Sentence(DoctorSentence.notAsked)))

    var result: JSONValue? { if case .result(let value) = self { value } else { nil } }
  }

  var info = Answer.notAsked
  var status = Answer.notAsked
  var dryRun = Answer.notAsked
  /// Nil if it is not connected.
  var pid: Int32?
  /// The unit that runs it, such as regd.service.
  var unit = "regd.service"
  /// What systemd says of the unit; empty if it was not asked, or there is no systemd.
  var unitState: [String: String] = [:]
  /// Most open files; nil if /proc does not show it.
  var descriptorLimit: Int?
}

struct ConfigurationFacts {
  enum CheckResult: Equatable {
    case good
    case bad(String)
    case notDone(Sentence.Content)

    static let notAsked = CheckResult.notDone(.sentence(Sentence(DoctorSentence.notAsked)))
  }

  var path = "/etc/regd/regd.yaml"
  var check = CheckResult.notAsked
  /// Of the file, in seconds since 1970; nil if there is none.
  var modified: Int?
  /// When regd read it, or was started.
  var loaded: Int?
  var values = ConfiguredValues()
}

/// A directory that regd writes to, and the file system that it is on.
struct PlaceFacts: Equatable {
  enum Use { case store, journal }

  var use = Use.store
  var path = "/var/lib/regd"
  /// False only if that is certain.
  var isThere = true
  /// Nil if it cannot be read.
  var room: FileSystem.Room?
  /// As the kernel calls it: ext4, nfs4, overlay.
  var type = "ext4"
  var isReadOnly = false
  /// The newest change of a file of the store, in seconds since 1970.
  var newest: Int?
  /// The obstacle that the unit's user meets; nil for none.
  var obstacle: PathObstacle?
}

struct MachineFacts {
  /// Seconds since 1970.
  var now = 0
  /// When this program was built or installed.
  var programBuilt = 0
  /// Nil if the kernel does not say.
  var isClockSynchronized: Bool?
  /// Of regd's control groups; nil if nothing bounds it.
  var processorQuota: Double?
  /// Periods of the control group, and those in which it had to wait.
  var periods = 0
  var throttledPeriods = 0
  var outOfMemoryKills = 0
  var memoryLimitKiB: Int?
  var memoryTotalKiB = 0
  var memoryAvailableKiB = 0
}

struct UpstreamFacts {
  enum Try: Equatable {
    case answered(milliseconds: Int)
    /// By regd's reason, such as network.untrusted, with libcurl's words.
    case failed(reason: String, detail: String)
    case notDone(Sentence.Content)
  }

  enum Repeat: Equatable {
    /// The ids that the upstream gave to the first and the second request.
    case ids(String, String)
    case taken
    case failed(Sentence.Content)
  }

  var baseURL = ""
  var attempt = Try.notDone(.sentence(Sentence(DoctorSentence.notAsked)))
  /// Nil if it was not asked for.
  var repeated: Repeat?

  /// How long it took to answer; nil if it did not.
  var milliseconds: Int? { if case .answered(let milliseconds) = attempt { milliseconds } else { nil } }
}
