internal import Logging

/// The lines of regd's log. Each has a level, a text, and a permanent id by which operators find it (`MESSAGE_ID`,
/// systemd.journal-fields(7)) and `journalctl -x` explains it (`systemd/regd.catalog`).
enum LogMessage: String, CaseIterable, Sendable {
  case ready = "be35aad87458b2079842a3031f85e45a"
  case stopping = "27fd1c9d6935aad419ceb38e27a9cd60"
  case stopped = "becf8dfc189a2b8c76d01914950fe29c"
  case reloaded = "d40a4255d67c4ff2af9fb00040997540"
  case reloadRefused = "7ec23a6c03424fb29d1c0282354c77cf"
  case reloadTooLate = "b6c00165888e4af98cfde144777240a0"
  case attemptRefused = "76f5b5c85bc72ddb5c07aef50ae51c48"
  case accountChanged = "6803d67218bb9e21e45d1d888640d7e4"
  case invitationChanged = "731d3b049b40418cbf860474640750f2"
  case termsAccepted = "9575ee1c2b6b4e729fe7e693bd1d8e4f"
  case delivered = "87431114c92be2cd18ac23a5106bb04e"
  case upstreamFails = "4912e8ef9b93926391b10bd190677d59"
  case upstreamWorks = "02268b74d1cb653cffe2fb86607a8963"
  case upstreamFailedRequest = "1ee63b5a70b9cfef01bfe6830dba4274"
  case upstreamStillFails = "15c0b56e3c84107be186fce2b2709a4a"
  case upstreamPaused = "a434a901363b967b2ecb8339ebe6a58a"
  case upstreamResumed = "f670d1693d874043bf4440f3e2ad47e8"
  case upstreamFile = "b220e36ddde45ac827e7a401245d115f"
  case deliveryRefused = "038f2c569f0cf0f0e9af828dbaeeef43"
  case deliveryDelayed = "bb4db0c6f1768c7bff83d56fcd85c76a"
  case deliveriesStranded = "8d98c1b0fe93e0419aa4d0338ec2d2bb"
  case mailSent = "c03db70bc865936185c98dfa7d2d9986"
  case mailRefused = "4c0d657fe005534f6a913b6f480aaae2"
  case mailDelayed = "e3db129e8eef1eb0e4334f128aa8ad0d"
  case mailFails = "8cc00d13df560559f6be55fed3d987df"
  case mailWorks = "1290b192ba56838ee2e5b847abc86eda"
  case mailFile = "0aa33083df6214765a6f139551ea7543"
  case mailsStranded = "8b7f9f1838a3f9b3522e8870846e449a"
  case storeCreated = "7b1f0d35a6c84e6e9c52d8f4036ab19e"
  case storeFails = "9f9ae536d39cba0fd10a7a9c06736e44"
  case storeWorks = "b6393a48df76aa71b161155018e062d5"
  case storeStillFails = "cdf44e8514f17d7a5acbd283da6f8696"
  case storeNotArrived = "914d191437bf4170af9ec345a47a891c"
  case storeWentBack = "4e04267d0b5c0c78f3fde84e78b4558b"
  case storeAccepted = "075adc5f303ad5bf46b782595c7639f3"
  case storeDamaged = "41d8f96b0bfc0bf47c7bca79781ce92a"
  case taskFails = "a1418145f12f4194a5ee9d91bc24ca59"
  case taskWorks = "caa73d2bc12241d79a0d8c92e50f9c9d"
  case clientsFile = "d5b1c4f7a0e84d0f9a6c2b71e3984c55"
  case clientsFileWorks = "0f6b8a52c1d94e3ab7e05f3d92a64c18"
  case fault = "0517d745d09da55502769805623bb2c0"
  case hashingFailed = "21e991e127ab18eea9845f697ac37084"
  case hashDamaged = "9d7543ed78e485bff7c08b6d79e5020d"
  case listMissing = "0475e6db6b0505caffd7cb288067f0f4"
  case listCut = "2871a9c66524816bf031d6062055644c"
  case memberUnknown = "4295b72a50718faecf951110570672cc"
  case lookUpFailed = "b19d6f0e3c5a4a7f8e21d704c9635fba"
  case approvalUnverified = "21506a7c9e8b4b8ee5846267ef81e9fe"
  case callerUnmapped = "2031b89ddcced03a82f32863d7632a00"
  case groupsUnknown = "6d0c3b1e9a5f4e27b8d41f70c2a96e83"
  case descriptorsMissing = "0ff3515ed4d925d46e30bbe6cd63b3be"
  case socketPassed = "5c0c9b1f6a0e4c0f9d6b1f3a27d4e8b2"
  case socketRights = "c41d7a90be6f4f1c8d35e2076b9af318"
  case socketHeld = "a3d0f6c2b7e94d58a1c46f0e92b853d7"
  case acceptFailed = "5f182063d52986174afcef56ffdc2390"
  case connectionStalled = "e97344a323e3b6fa08515f3cae58e2a0"
  case connectionRefused = "51cfee8aa1f84dd7254f6d1caa283fcb"
  case requestRefused = "fac01ddeee447e9026eb1316bd97d856"
  case stuck = "7ca64ed4dc9265aee65c4c677b991f70"
  case unstuck = "6ebbe261c5f8be497252129c7f0b2a20"
  case linesDropped = "d22fc53148491d27a2cf00e10b053140"
  case startFailed = "6d327c3186e6165f9217534cc27e1e88"

  /// 128 bits, as 32 hexadecimal digits.
  var id: String { rawValue }

  var level: Logger.Level {
    switch self {
    case .upstreamStillFails, .upstreamPaused, .upstreamResumed, .deliveryDelayed, .mailDelayed, .storeStillFails,
      .connectionRefused, .requestRefused:
      .debug
    case .ready, .stopping, .stopped, .attemptRefused, .accountChanged, .invitationChanged, .termsAccepted, .delivered,
      .mailSent, .mailRefused:
      .info
    case .reloaded, .upstreamWorks, .mailWorks, .upstreamFailedRequest, .storeCreated, .storeWorks, .storeAccepted,
      .taskWorks,
      .clientsFileWorks, .connectionStalled, .unstuck:
      .notice
    case .reloadTooLate, .upstreamFails, .upstreamFile, .deliveryRefused, .deliveriesStranded, .mailFails, .mailFile,
      .mailsStranded, .taskFails, .listMissing, .clientsFile,
      .memberUnknown, .lookUpFailed, .approvalUnverified, .callerUnmapped, .groupsUnknown, .descriptorsMissing,
      .socketPassed, .socketRights, .socketHeld, .acceptFailed, .linesDropped:
      .warning
    case .reloadRefused, .storeFails, .storeWentBack,
      .storeDamaged, .storeNotArrived, .fault, .hashingFailed, .hashDamaged, .listCut, .stuck, .startFailed:
      .error
    }
  }
}

extension Logger {
  /// Writes a line that an operator may look for.
  ///
  /// - Parameters:
  ///   - text: The whole line, which begins with `LogMessage.text`. Nil means that text alone.
  ///   - details: The parts that vary from line to line, without secrets and people's addresses.
  func write(_ message: LogMessage, _ text: String? = nil, _ details: [String: String] = [:]) {
    guard message.level >= logLevel else { return }
    var metadata: Logger.Metadata = [LogRecord.idKey: "\(message.id)"]
    for (name, value) in details { metadata[name] = "\(value)" }
    log(level: message.level, "\(text ?? message.text)", metadata: metadata, source: "Daemon")
  }
}
