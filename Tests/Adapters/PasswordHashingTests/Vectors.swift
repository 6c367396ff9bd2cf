/// Hashes that other software made from made-up passwords: Python's argon2-cffi 25.1.0, bcrypt 4.0.1, passlib 1.7.4 and
/// hashlib.scrypt (OpenSSL). Costs are low, so that the hashes take no time.
enum Vectors {
  private static let one = "made-up one"
  private static let two = "made-up two"
  /// In NFC.
  private static let foreign = "p\u{E4}ssw\u{F6}rt \u{43A}\u{43B}\u{44E}\u{447} \u{5BC6}\u{7801}"
  /// 81 bytes.
  static let long = "a long made-up passphrase, longer than the seventy-two bytes that bcrypt looks at"
  /// 72 bytes, which is all that bcrypt sees of `long`.
  static let cut = "a long made-up passphrase, longer than the seventy-two bytes that bcrypt"
  private static let longer = long + long + long + long

  typealias Vector = (password: String, phc: String)

  /// Lanes 1 to 16, salts of 8, 16 and 32 bytes, and values of 16 to 64.
  static let argon2id: [Vector] = [
    (one, "$argon2id$v=19$m=64,t=2,p=1$XnLGx0AXqTxZVE+pC3QqBw$7M5TXd+B32ej6Iru3etwk2Xp4OhRY6ZfQduDz4HnmH0"),
    (one, "$argon2id$v=19$m=32,t=1,p=1$Ey8yK9xG+OM$3TPgIlo3y29VnrDm/phHhPC7y0ck13fSNdverRQ/EZE"),
    (
      one,
      "$argon2id$v=19$m=32,t=1,p=1$PkvtMc2FkYg9LUhdWPhgspbOSjIQCiXsfzTlq2lWPYE$6I4j920knLkFGdSBf1773zuZ8bKfhJ/6nUu5y8M6t64"
    ),
    (two, "$argon2id$v=19$m=64,t=3,p=4$XnLGx0AXqTxZVE+pC3QqBw$bZ/IElsgpr788LmxbFQybSC7U8umgDlHSldVAfpuyv0"),
    (
      foreign,
      "$argon2id$v=19$m=1021,t=1,p=4$XnLGx0AXqTxZVE+pC3QqBw$thUvJjiPq8Bd6xcUhBa2ik4sqWbuiMf3VTSWAxW8B6dMBJTbi3Dja0bNKmDyGBXbwH2Fym++FSuT5HDZMA58SA"
    ),
    (foreign, "$argon2id$v=19$m=128,t=2,p=2$PkvtMc2FkYg9LUhdWPhgspbOSjIQCiXsfzTlq2lWPYE$bn9DS++EBOGMc535AiZ8Cw"),
    (foreign, "$argon2id$v=19$m=8,t=1,p=1$XnLGx0AXqTxZVE+pC3QqBw$LyMxDn93SQyMPQx2tpiiiQ"),
    (
      "",
      "$argon2id$v=19$m=8,t=1,p=1$XnLGx0AXqTxZVE+pC3QqBw$z/7l/d6SLVCZU2VBeNFYD94ZaMz8PDBp78iUZxrGqGR+oN6BayN9UqxLSKR5O5Z/mK6YdXp0Hi8KQ6dBb9BT2w"
    ),
    (longer, "$argon2id$v=19$m=2048,t=1,p=16$Ey8yK9xG+OM$Sk3pZGyLKc4bIhpVRvvHHUl6ljhW0c5p"),
    (foreign, "$argon2id$v=19$m=256,t=2,p=3$XnLGx0AXqTxZVE+pC3QqBw$fwm9eGL4EJJM/i5bmCpNWOVPq3xUfJYWGGrEI9sV8sc"),
  ]

  static let bcrypt: [Vector] = [
    (one, "$2a$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"),
    (foreign, "$2a$04$3yvtP/mSHznAJI3EDtN8NulhFIdq1Nifc/23vqCM/vriCtCY0YoY6"),
    (one, "$2b$05$MNMSMr4hURSvWAjtREN91.tEhQM6.b.3aIoBtmQ83Ktr1A5GhglZu"),
    (foreign, "$2b$04$OkURFELGgH1qNjNvfI8iN.02dt76RCCI5eMJ5FVU00k5myiAKRXci"),
    (long, "$2b$04$0hUNKd8k6lVSxJGhY./If.y2MCTZfAfWt.w3HFF5oUE979xbe6wuy"),
    ("", "$2b$04$1d5f8ZglFpGvyWTeJmJ8FO2r7emfc21HZQZPx.vdhe48ZtqfIdUuO"),
    (cut, "$2a$04$pNpJDx6czJWwjtAszzd.iedsnCFBK0qPowNxXBXYdhnDnATm79dYG"),
    (two, "$2y$04$JVN/NeVGgW6o/IxeHG6HnOUSbWDjWTfBirm7CXQsnRVri1IrQfLUi"),
    (foreign, "$2y$04$gmZbzCntgTkNg.J.RyZaYeVMe7pAJX3IsrLi2YuTGOaZvn1xiuGgK"),
    (long, "$2y$04$AgK49trPngLh4sxTGk.BsOZEeu/dM6G98FqmVS.3Q4CC.O/JwtCJq"),
  ]

  static let scrypt: [Vector] = [
    (one, "$scrypt$ln=4,r=8,p=1$XnLGx0AXqTxZVE+pC3QqBw$+pBowYHbCy8lFpOUovJnEP3B8FXzEj1TaH0bQqxfXGY"),
    (foreign, "$scrypt$ln=8,r=8,p=1$XnLGx0AXqTxZVE+pC3QqBw$4hSP7ray15XgDUm8mMpzXy59n3uBYF/eJzOseDOifw4"),
    ("", "$scrypt$ln=3,r=1,p=2$Ey8yK9xG+OM$6q+XF20Vja/Wr0Pt5zoxkoBaPmod2RHpKq8nqA/YFB0"),
    (
      long,
      "$scrypt$ln=6,r=4,p=3$PkvtMc2FkYg9LUhdWPhgspbOSjIQCiXsfzTlq2lWPYE$NpKndPsy+mjpfg60heKNHFRkxCaBvuGr4Uti6Dl7brc"
    ),
    (
      two,
      "$scrypt$ln=10,r=8,p=2$+/+/+/+/+/+/+/+/$uk8G7kQ/2wjifnQtUBQ2LRQcNQ202hkRz+XvIedgGs80zwOej6Vb2CxrqrlUj0NAJ4dQ+D9tHKGzbNis87s9UQ"
    ),
    (foreign, "$scrypt$ln=1,r=1,p=16$Ey8yK9xG+OM$W6fRjWKCX2QUICJRkHpqPg"),
    (
      one,
      "$scrypt$ln=12,r=2,p=1$PkvtMc2FkYg9LUhdWPhgspbOSjIQCiXsfzTlq2lWPYE$t963US7J7rL2vKLvQddMyedjctNAej4OxJXpapJTcvc"
    ),
  ]

  /// The password of the following hashes, which need 64 and 16 MiB.
  static let starving = one
  static let costlyArgon2id =
    "$argon2id$v=19$m=65536,t=1,p=4$XnLGx0AXqTxZVE+pC3QqBw$a09IAcxUKgAZymvd9HQOkyHv7+zIbkd9O6xtEZ3i24w"
  static let costlyScrypt =
    "$scrypt$ln=14,r=8,p=1$XnLGx0AXqTxZVE+pC3QqBw$HBXchj5oChckbweDsaHT/+u9AOUrEO9Vm1uvVtpsOMA"
  /// Hashes that need 64 and 16 MiB. A thread that cannot map more memory has slightly less than 64 MiB in its heap.
  static let costlyArgon2i =
    "$argon2i$v=19$m=65536,t=1,p=1$jke3U8eL+LpHParGyI1eqg$bHqcE+IWUpfGmtNd5LxgZx7OPmTRI5ZCAAL5WwvyAYw"
  static let costlyYescrypt = "$y$jB5$LdJMENpBABJJ3hIHjB1Bi.$432xtb6LnYX98ymjlfWWT9rRwZS.oh2Oqv3WOoR5nl4"
}
