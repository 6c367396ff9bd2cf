internal import Linux
internal import Localization
internal import RegdClient

/// The facts that the doctor has collected. Checks use these values alone, so that a test can simulate any machine.
struct Facts {
  var socket = SocketFacts()
  var user = UserFacts()
  var daemon = DaemonFacts()
  var configuration = ConfigurationFacts()
  var doors: [DoorFacts] = []
  var places: [PlaceFacts] = []
  var machine = MachineFacts()
  var upstream: UpstreamFacts?
}

struct SocketFacts {
  enum File: Equatable {
    case missing
    /// The socket cannot be seen, because this directory cannot be entered.
    case hidden(directory: String)
    case socket(owner: UInt32, group: UInt32, permissions: UInt32)
    /// Something else is at the path. Holds the message that describes it.
    case other(DoctorSocketMessageKey)
  }

  enum Connection: Equatable {
    case accepted
    /// No process listens (ECONNREFUSED).
    case refused
    /// This user may not connect (EACCES).
    case denied
    case failed(LocalizedMessage.Content)
  }

  struct Lock: Equatable {
    var isRegular = true
    var links = 1
    var owner: UInt32 = 0
    /// The owner of the directory that contains the lock file. regd accepts a lock file of this owner, or of root.
    var directoryOwner: UInt32 = 0
    /// The text in the file, or nil if it cannot be read.
    var content: String?
    /// Whether the process whose id is in the file runs, or nil if the file has no id.
    var holderRuns: Bool?
  }

  var path = "/run/regd/regd.sock"
  var file = File.missing
  var connection = Connection.failed(.sentence(LocalizedMessage(DoctorMessageKey.notTried)))
  /// The lock file, or nil if it does not exist, or is not visible.
  var lock: Lock?
}

struct UserFacts {
  var id: UInt32 = 0
  var name = "root"
  /// The groups of this session.
  var groups: Set<UInt32> = []
  /// The groups of the user's next session.
  var groupsToBe: Set<UInt32> = []
  /// The names of groups that a finding may mention.
  var groupNames: [UInt32: String] = [:]
  /// The groups that regd admits, by name.
  var regdGroups: [String: UInt32] = [:]

  var isRoot: Bool { id == 0 }
  func groupName(_ id: UInt32) -> String { groupNames[id] ?? "\(id)" }
}

struct DaemonFacts {
  enum Answer: Equatable {
    case result(JSONValue)
    /// `problems` has one line for each problem that the error lists, such as those of a configuration.
    case refused(code: Int, message: String, problems: [String] = [])
    case none(LocalizedMessage.Content)

    /// No request was made.
    static let notAsked = Answer.none(.sentence(LocalizedMessage(DoctorMessageKey.notAsked)))

    var result: JSONValue? { if case .result(let value) = self { value } else { nil } }
  }

  var info = Answer.notAsked
  var status = Answer.notAsked
  var dryRun = Answer.notAsked
  /// regd's pid, or nil if unknown.
  var pid: Int32?
  /// The unit that runs regd, such as regd.service.
  var unit = "regd.service"
  /// systemd's properties of the unit. Empty if systemd was not asked or does not run.
  var unitState: [String: String] = [:]
  /// The most files that regd may have open, or nil if /proc does not show it.
  var descriptorLimit: Int?
}

struct ConfigurationFacts {
  enum CheckResult: Equatable {
    case good
    /// There is no file, and regd does not need one, because its defaults are good.
    case defaults
    case bad(String)
    case notDone(LocalizedMessage.Content)

    static let notAsked = CheckResult.notDone(.sentence(LocalizedMessage(DoctorMessageKey.notAsked)))
  }

  var path = "/etc/regd/regd.yaml"
  var check = CheckResult.notAsked
  /// The file's last change, in seconds since 1970, or nil if there is no file.
  var modified: Int?
  /// When regd started, in seconds since 1970, or nil if regd does not answer.
  var loaded: Int?
  var values = ConfiguredValues()
}

/// The directory of the store or of the journal, and its file system.
struct PlaceFacts: Equatable {
  enum Use { case store, journal }

  var use = Use.store
  var path = "/var/lib/regd"
  /// Whether the directory exists. False only if its absence is certain.
  var isThere = true
  /// The free space, or nil if it cannot be read.
  var room: FileSystem.Room?
  /// The kernel's name of the file system's type: ext4, nfs4, overlay.
  var type = "ext4"
  var isReadOnly = false
  /// The last change of the store's files, in seconds since 1970.
  var newest: Int?
  /// The obstacle that keeps the unit's user from writing to the store, or nil if the user can write.
  var obstacle: PathObstacle?
}

struct MachineFacts {
  /// Seconds since 1970.
  var now = 0
  /// When this program was built or installed, in seconds since 1970.
  var programBuilt = 0
  /// Whether the clock is synchronized, or nil if the kernel does not report it.
  var isClockSynchronized: Bool?
  /// The number of processors that regd's control groups allow, such as 0.5, or nil if unlimited.
  var processorQuota: Double?
  /// Scheduling periods of the control group. `throttledPeriods` counts those in which its processes had to wait.
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
    /// `reason` is one of regd's, such as network.untrusted. `detail` is libcurl's message.
    case failed(reason: String, detail: String)
    case notDone(LocalizedMessage.Content)
  }

  enum Repeat: Equatable {
    /// The ids in the upstream's answers to the first and the second request.
    case ids(String, String)
    case taken
    case failed(LocalizedMessage.Content)
  }

  var baseURL = ""
  var attempt = Try.notDone(.sentence(LocalizedMessage(DoctorMessageKey.notAsked)))
  /// The result of sending one registration twice. Nil unless the user gave `--try-upstream`.
  var repeated: Repeat?

  /// How long the answer took, or nil without an answer.
  var milliseconds: Int? { if case .answered(let milliseconds) = attempt { milliseconds } else { nil } }
}
