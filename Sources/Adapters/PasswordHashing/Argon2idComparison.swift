internal import CArgon2
internal import CSodium
internal import Registration

extension PasswordHashFormat.Argon2id {
  func compare(with password: Password) -> Comparison {
    password.withCharacters { characters, count in
      Comparison(to: tag) { derived in
        // libsodium is faster, but supports only one lane and one length of salt
        lanes == 1 && salt.count == Int(crypto_pwhash_SALTBYTES)
          ? deriveBySodium(characters, count, derived) : deriveByArgon2(characters, count, derived)
      }
    }
  }

  private func deriveBySodium(
    _ characters: UnsafePointer<CChar>, _ count: Int, _ derived: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    crypto_pwhash(
      derived, UInt64(tag.count), characters, UInt64(count), salt, UInt64(passes), memoryKiB * 1024,
      crypto_pwhash_ALG_ARGON2ID13) == 0
  }

  /// Debian's libargon2 supports everything that RFC 9106 allows. It overwrites its blocks before it frees them
  /// (FLAG_clear_internal_memory).
  private func deriveByArgon2(
    _ characters: UnsafePointer<CChar>, _ count: Int, _ derived: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    argon2_on_this_thread(
      Argon2_id, UInt32(memoryKiB), UInt32(passes), UInt32(lanes), characters, count, salt, salt.count, derived,
      tag.count)
      == ARGON2_OK.rawValue
  }
}

extension Argon2iHash {
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    password.withCharacters { characters, count in
      Comparison(to: argon2.tag) { derived in
        argon2_on_this_thread(
          Argon2_i, UInt32(argon2.memoryKiB), UInt32(argon2.passes), UInt32(argon2.lanes), characters, count,
          argon2.salt, argon2.salt.count, derived, argon2.tag.count) == ARGON2_OK.rawValue
      }
    }
  }
}
