/// Messages about a password hash from another system: the problem, and what would be accepted.
package enum HashMessageKey: String, MessageKey {
  case missing = "hash.missing: The password hash is missing."
  case unsupported = """
    hash.unsupported: \
    {scheme} hashes are not supported. Supported schemes: Argon2, bcrypt, scrypt, PBKDF2, sha-crypt, yescrypt, phpass, \
    '{'SSHA'}', and those of Django, WordPress and Firebase.
    """
  case unknown = """
    hash.unknown: \
    The scheme of the hash is unknown. Supported schemes: Argon2, bcrypt, scrypt, PBKDF2, sha-crypt, yescrypt, phpass, \
    '{'SSHA'}', and those of Django, WordPress and Firebase.
    """
  /// `part` is a case whose name begins with `part`. `expected` is a case whose name begins with `expected`, or a form
  /// such as `$scrypt$parameters$salt$value`.
  case malformed = "hash.malformed: {part} must be {expected}."
  case tooCostly = "hash.tooCostly: {part} is {value}; the maximum is {bound}."
  case tooWeak = "hash.tooWeak: {part} is {bytes, plural, one {# byte} other {# bytes}} long; the minimum is {least}."
  /// `setting` is a key of the configuration.
  case missingKey = "hash.missingKey: Hashes of the scheme {scheme} need {setting} in the configuration."
  /// `reason` is the system's message, in English.
  case missingLibrary = "hash.missingLibrary: Hashes of this scheme need {library}, which cannot be loaded: {reason}"

  // Values of `{part}` in the messages above. They are not used anywhere else.
  case partText = "hash.partText: The hash"
  case partFields = "hash.partFields: The fields of the hash"
  case partVersion = "hash.partVersion: The version"
  case partParameters = "hash.partParameters: The parameters"
  case partMemory = "hash.partMemory: The parameter m (KiB of memory)"
  case partPasses = "hash.partPasses: The parameter t (passes)"
  case partLanes = "hash.partLanes: The parameter p (lanes)"
  case partMemoryTimesPasses = "hash.partMemoryTimesPasses: The parameter m times t (KiB processed)"
  case partCost = "hash.partCost: The cost (base-2 logarithm of the work)"
  case partLogN = "hash.partLogN: The parameter ln (base-2 logarithm of N)"
  case partBlockSize = "hash.partBlockSize: The parameter r (block size)"
  case partParallelism = "hash.partParallelism: The parameter p (parallelism)"
  case partBlocks = "hash.partBlocks: 128 times N times r (bytes of memory)"
  case partBlocksTimesParallelism = "hash.partBlocksTimesParallelism: 128 times N times r times p (bytes processed)"
  case partIterations = "hash.partIterations: The number of iterations (multiplied by the number of output blocks)"
  case partRounds = "hash.partRounds: The number of rounds"
  case partSeparator = "hash.partSeparator: The salt separator"
  case partSalt = "hash.partSalt: The salt"
  case partTag = "hash.partTag: The hash value"

  // Values of `{expected}` in `malformed`. They are not used anywhere else. `form` is a pattern of the whole hash.
  case expectedLength = "hash.expectedLength: at most {limit} bytes long"
  case expectedASCII = "hash.expectedASCII: ASCII, without white space"
  case expectedParameters = "hash.expectedParameters: exactly {form}, in this order"
  case expectedNumber = "hash.expectedNumber: a whole number from 1 to 999999999, without a sign or leading zeros"
  case expectedBase64 =
    "hash.expectedBase64: canonical base64 in the standard alphabet (A-Z a-z 0-9 + /), without padding"
  case expectedPaddedBase64 =
    "hash.expectedPaddedBase64: canonical base64 in the standard alphabet (A-Z a-z 0-9 + /), with padding"
  case expectedPasslibBase64 = "hash.expectedPasslibBase64: canonical base64 with . instead of +, without padding"
  case expectedVersionGiven = """
    hash.expectedVersionGiven: \
    given as v=19; a hash that gives no version has version 16, which is not accepted
    """
  case expectedVersion = "hash.expectedVersion: v=19, which is Argon2 1.3; other versions are not accepted"
  case expectedMemory = "hash.expectedMemory: at least 8 times p (RFC 9106 §3.1)"
  case expectedBcrypt = "hash.expectedBcrypt: {form}, followed by the salt and the hash value as one string"
  case expectedBcryptLengths = """
    hash.expectedBcryptLengths: \
    $2b$cost$, followed by 22 characters of salt and 31 characters of hash value
    """
  case expectedCost = "hash.expectedCost: two digits, 04 to 31"
  case expectedBcryptBase64 = "hash.expectedBcryptBase64: canonical base64 in bcrypt's alphabet (. / A-Z a-z 0-9)"
  case expectedPowerOfTwo = "hash.expectedPowerOfTwo: a power of two"
  case expectedLogN = "hash.expectedLogN: less than 16 times r (RFC 7914 §2)"
  case expectedDigest = "hash.expectedDigest: a digest of {count} bytes, followed by the salt"
  case expectedPhpass = """
    hash.expectedPhpass: \
    {form}, followed by 31 characters that contain the cost, the salt and the hash value
    """
  case expectedDoublings = "hash.expectedDoublings: a character that encodes a number from 7 to 30"
  case expectedCryptValue = "hash.expectedCryptValue: {count} characters of ./0-9A-Za-z, with all unused bits zero"
  case expectedRounds = "hash.expectedRounds: 1000 or more (crypt(5))"
  case expectedCryptSalt = "hash.expectedCryptSalt: 1 to 16 characters without ! * : ; \\"
  case expectedYescryptParameters =
    "hash.expectedYescryptParameters: j followed by one character each for N and r, as in j9T"
  case expectedYescryptSalt =
    "hash.expectedYescryptSalt: 1 to 64 bytes encoded in characters of ./0-9A-Za-z, with all unused bits zero"
  case expectedIterations = "hash.expectedIterations: i=…, or i=…,l=… where l is the length of the hash value in bytes"
  case expectedKeyLength = "hash.expectedKeyLength: {count} bytes long, the same length as hashing.firebaseKey"
}
