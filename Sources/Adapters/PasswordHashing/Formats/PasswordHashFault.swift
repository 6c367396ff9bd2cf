internal import Localization
internal import Registration

/// The rule of a format that a password hash breaks, and where.
enum PasswordHashFault: Error {
  /// The part of a hash that is at fault.
  enum Part {
    case text, fields, version, parameters
    case memory, passes, lanes, memoryTimesPasses
    case cost
    case logN, blockSize, parallelism, blocks, blocksTimesParallelism
    case iterations, rounds
    case separator, salt, tag
  }

  /// The text is empty.
  case missing
  /// The hash is of a scheme that regd does not support. `scheme` is nil if the name is unknown. The text must then not
  /// be shown to anyone, because it may be a bare digest or a plain password.
  case unsupported(scheme: String?)
  /// `expected` describes the right form, as the end of a sentence after "must be". A plain text in it is not
  /// translated.
  case malformed(Part, expected: LocalizedMessage.Content)
  /// `value` exceeds `bound`.
  case tooCostly(Part, value: Int, bound: Int)
  /// The part has only `bytes` bytes, but needs `least`.
  case tooWeak(Part, bytes: Int, least: Int)
  /// The hash needs a secret that is not configured in `setting`.
  case missingKey(scheme: String, setting: String)
  /// The hash needs a library that cannot be loaded. `reason` is the loader's message.
  case missingLibrary(String, reason: String)

  /// The fault in the form in which `PasswordHashReader` reports it.
  var problem: PasswordHashProblem {
    switch self {
    case .missing: .missing
    case .unsupported(let scheme?):
      PasswordHashProblem(.unsupported, LocalizedMessage(HashMessageKey.unsupported, ["scheme": .text(scheme)]))
    case .unsupported(nil): PasswordHashProblem(.unsupported, LocalizedMessage(HashMessageKey.unknown))
    case .malformed(let part, let expected):
      PasswordHashProblem(
        .malformed, LocalizedMessage(HashMessageKey.malformed, ["part": part.said, "expected": expected]))
    case .tooCostly(let part, let value, let bound):
      PasswordHashProblem(
        .tooCostly,
        LocalizedMessage(
          HashMessageKey.tooCostly, ["part": part.said, "value": .number(value), "bound": .number(bound)]))
    case .missingKey(let scheme, let setting):
      PasswordHashProblem(
        .unsupported, LocalizedMessage(HashMessageKey.missingKey, ["scheme": .text(scheme), "setting": .text(setting)]))
    case .missingLibrary(let library, let reason):
      PasswordHashProblem(
        .unsupported,
        LocalizedMessage(HashMessageKey.missingLibrary, ["library": .text(library), "reason": .text(reason)]))
    case .tooWeak(let part, let bytes, let least):
      PasswordHashProblem(
        .tooWeak,
        LocalizedMessage(HashMessageKey.tooWeak, ["part": part.said, "bytes": .number(bytes), "least": .number(least)]))
    }
  }
}

extension LocalizedMessage.Content {
  /// A translatable sentence about hashes, or a phrase to insert into one.
  static func hash(_ sentence: HashMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) -> Self
  {
    .sentence(LocalizedMessage(sentence, values))
  }
}

extension PasswordHashFault.Part {
  /// The part's name at the beginning of a sentence.
  fileprivate var said: LocalizedMessage.Content {
    switch self {
    case .text: .hash(.partText)
    case .fields: .hash(.partFields)
    case .version: .hash(.partVersion)
    case .parameters: .hash(.partParameters)
    case .memory: .hash(.partMemory)
    case .passes: .hash(.partPasses)
    case .lanes: .hash(.partLanes)
    case .memoryTimesPasses: .hash(.partMemoryTimesPasses)
    case .cost: .hash(.partCost)
    case .logN: .hash(.partLogN)
    case .blockSize: .hash(.partBlockSize)
    case .parallelism: .hash(.partParallelism)
    case .blocks: .hash(.partBlocks)
    case .blocksTimesParallelism: .hash(.partBlocksTimesParallelism)
    case .iterations: .hash(.partIterations)
    case .rounds: .hash(.partRounds)
    case .separator: .hash(.partSeparator)
    case .salt: .hash(.partSalt)
    case .tag: .hash(.partTag)
    }
  }
}
