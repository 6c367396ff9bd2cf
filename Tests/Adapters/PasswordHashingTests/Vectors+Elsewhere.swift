/// Hashes of other systems' schemes. Hashes without a source were made with Python's hashlib, hmac and crypt from the
/// scheme's description, and Django 5.2, passlib 1.7.4, PHP 8.2 and libxcrypt 4.4 accept them. Costs are low, so that
/// the hashes take no time.
extension Vectors {
  private static let one = "made-up one"
  /// In NFC.
  private static let foreign = "p\u{E4}ssw\u{F6}rt \u{43A}\u{43B}\u{44E}\u{447} \u{5BC6}\u{7801}"

  /// Hashes that were published with the schemes.
  static let published: [Vector] = [
    // RFC 6070 §2
    (
      "passwordPASSWORDpassword",
      "$pbkdf2$i=4096$c2FsdFNBTFRzYWx0U0FMVHNhbHRTQUxUc2FsdFNBTFRzYWx0$PS7sT+QchJuAyNg2YsDkSospGpZM8vBwOA"
    ),
    // the description of sha-crypt
    ("Hello world!", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"),
    (
      "Hello world!",
      "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1"
    ),
    // phpass's own test
    ("test12345", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"),
    // the tests of the reference implementation of Argon2
    ("password", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA"),
  ]

  /// Firebase's published sample, and the signer key of its project.
  static let firebase: Vector = (
    "user1password",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
  )
  static let firebaseKey = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="

  /// 389 Directory Server's spellings: in the standard alphabet with padding since 1.4, and packed before.
  static let directory389: [Vector] = [
    (one, "{PBKDF2-SHA1}1000$yMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f$sjDSGj0I/EVWb8PA9SLr6pTRuWc="),
    (one, "{PBKDF2-SHA256}1000$yMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f$pvP3sBoiP++/9xrJ1O0t3GZ+KLERC10mFaktZ+Gc5Cw="),
    (
      one,
      "{PBKDF2-SHA512}1000$yMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f$KnqpWw8zQmgt8PtElrnYsHnA0xpEupMK8ws/X39IQQt+EzFTX88RNHquOl/qumN1fdTyIM3yEtcCQ4tfukHCqA=="
    ),
    (
      one,
      "{PBKDF2_SHA256}AAAD6AABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj/xYg+907tn6SxlRe0eV5kVqkA3YC8NFE6WAV+Ql3Shwd/0eMtCiloL/9JCm/ijD8/DWjNlqH5t/NhgznstCZuCfpu2LSt+1JxPJ3oqTNdcJk2g3QMXVqd+3/V6f1D6yGNqs/kKq1qEVNdrL58mbhPoDCnrOdhJMUraqoMnvA0PWdZwJP6EcqLuzvyHQ38f9aXGdIVTNSY5ieDviJA8jmtfBEjUmMVHClf1kVrpkHy7jc+ypqPboLjQIQDyHNajYRDj5Jc1oPwucvg8okGrV+VeYarN/WdaRv/u0uNU2s4/drpjwezixUQ4kaw21AH4tRbVZqsxm86NXc7aXHP2ORnC"
    ),
    (
      one,
      "{CRYPT-SHA512}$6$rounds=1000$saltstring$4DJ/Oj.hMDX7pG7ICw7Mspqnul3w0zVphdufiKn8VJcMz2sPrh1wYZdggeKWi/kCwrd8juG4UbvTGoNRsNvus."
    ), (one, "{CRYPT-SHA256}$5$rounds=1000$saltstring$oP0SmHUwt.GO8u8obmpZnUKVowNCQFuykp7PBWrccN3"),
  ]

  static let pbkdf2: [Vector] = [
    (one, "$pbkdf2-sha256$i=1000,l=32$+/+/+/+/AQIDBAUGBwgJCg$MADNsvmO7+Y3HieEov8+0Gtq4FKdM+2Ju0El3i3fVZw"),
    (
      one,
      "$pbkdf2-sha512$1000$././././AQIDBAUGBwgJCg$9X1SPsRQkrCL46Zo96SdGffh6GQq/8B57eaHaBppWxg5HjIeFf0DCW69vzOzSSL9ZTIoBQE9LF3AJx7IAAPjBQ"
    ),
    (one, "$pbkdf2$1000$././././AQIDBAUGBwgJCg$hmJLDlVww9CDjWcx6kwvhOqh.Tc"),
    (one, "pbkdf2_sha256$1000$saltOfDjango22chars$E8QXUKGbNOXBS7kEIdiUeF8obZ9OyYaZX05StiB6RyA="),
    (foreign, "$pbkdf2-sha256$i=1000,l=32$+/+/+/+/AQIDBAUGBwgJCg$KfSP5L+M+qX5r69k32O6ATM34YlSg+HgGFVtaeqOXP0"),
    (
      foreign,
      "$pbkdf2-sha512$1000$././././AQIDBAUGBwgJCg$k1ynT5FPNQ00wNUlOEv9VXLn90sOufJS/C8WUStgeq6noerg4eV5zjzXcdsdWbvkTDl75f5KiACYczloLiNAYw"
    ),
    (foreign, "$pbkdf2$1000$././././AQIDBAUGBwgJCg$8WbohkOOCv09VWRKG.Fsb9Y9RGk"),
    (foreign, "pbkdf2_sha256$1000$saltOfDjango22chars$hQBq41G9FiynmSyCoEB5omPPtbgDFwddSSRKj79Drsw="),
    ("", "$pbkdf2-sha256$i=1000,l=32$+/+/+/+/AQIDBAUGBwgJCg$J900Veabs6Ih5heAH5kSDy9aCKmL5Cj3wj2QtOPq/bo"),
    (
      "",
      "$pbkdf2-sha512$1000$././././AQIDBAUGBwgJCg$iSs4UH3dlHXgA9lKgIEow0klCKV2f3wPd8Ho3feNWDf/YAPyWB1dcAB9vyA.OHdhQyvwJUYLOGGiBR8LuPgKLg"
    ),
    ("", "$pbkdf2$1000$././././AQIDBAUGBwgJCg$HFWXybdVAjXzpNLunT1147HkNjo"),
    ("", "pbkdf2_sha256$1000$saltOfDjango22chars$3bExilFtsLpzQ29Yr7TWWAtOxm4BhssEmHIcdyAuiJA="),
    (Vectors.long, "$pbkdf2-sha256$i=1000,l=32$+/+/+/+/AQIDBAUGBwgJCg$h1fRRqLQ1gbn/wO4hTnWsZD3OxAx2OBBXdZQ1KXEpOk"),
    (
      Vectors.long,
      "$pbkdf2-sha512$1000$././././AQIDBAUGBwgJCg$IbvcnpFqAxE9vHQDPBhceCP0R6LZ8Xi1658NiC5rkX12sa1ilkGel0I77rAP6sLel2yzbbo6sqRWOc06qrQR.Q"
    ),
    (Vectors.long, "$pbkdf2$1000$././././AQIDBAUGBwgJCg$YAxtqySGNc7.JXA.Y56aI9QEDIk"),
    (Vectors.long, "pbkdf2_sha256$1000$saltOfDjango22chars$DoQc738TmmISCZVD+bvxg4aEVYE0SqMH1JHKKLMkum0="),
    (
      one,
      "$pbkdf2-sha256$i=27500$+/+/+/+/AQIDBAUGBwgJCg$ZMJkmtM4IzKEXuz2DrCzjfyR3NdDbgdTGW5LqhpW/Otsk6r08ONyZh2tUH+ITTs+0nvMiYBE7zNQmfJkHp/O3Q"
    ),
    (one, "pbkdf2_sha1$1000$saltOfDjango$Fd/H10oif6whoTinuFXf6hOd++M="),
    (
      one,
      "{PBKDF2-SHA512}1000$././././AQIDBAUGBwgJCg$9X1SPsRQkrCL46Zo96SdGffh6GQq/8B57eaHaBppWxg5HjIeFf0DCW69vzOzSSL9ZTIoBQE9LF3AJx7IAAPjBQ"
    ),
    (one, "{PBKDF2}1000$././././AQIDBAUGBwgJCg$hmJLDlVww9CDjWcx6kwvhOqh.Tc"),
  ]

  static let salted: [Vector] = [
    (one, "{SSHA}0+ZuGoMccxwIEQCiAyKr6WnGyE77/7/7/78BAg=="),
    (one, "{SSHA256}OLtW6I0PxsD1sNUJoP/66zrqBWrO5Va4t5uQQGFKClP7/7/7/78BAg=="),
    (one, "{SSHA512}dC4SYvhPZCy0YltXSRY84DzXiOMQbuRaGrNWngjto8wyEIkcf5hRQKQcwoCgGy6CCDCpGnXnzJTpbi1J58JhJvv/v/v/vwEC"),
    (foreign, "{SSHA}XHAMF3HtCQznabxIceNGVKS+9on7/7/7/78BAg=="),
    (foreign, "{SSHA256}/VpsJk6NMrhGYAwb+s5pMFCaRzlnveP3+r7RjaWEWTb7/7/7/78BAg=="),
    (
      foreign,
      "{SSHA512}CfiEQJh2a+bwChKoPdFpP7vwAu8PLCa8mfEOY3+d2bujeL7I50oVkWKAHHsv+wPZVF+qDZi9Ax17dvljsnL4A/v/v/v/vwEC"
    ),
    (one, "{ssha}T078IJh5vyf+2qXEtdF6Dv0MCG37/7/7"),
  ]

  static let crypt: [Vector] = [
    (one, "$5$rounds=1000$saltstring$oP0SmHUwt.GO8u8obmpZnUKVowNCQFuykp7PBWrccN3"),
    (one, "$6$0123456789abcdef$IAjVeQXxKstUWLvea72NpRM4Ku2AlIcvx3.MGDjtOCSBvWc0MRltMFYEr4ksGk3nkus2OUxr43oBGjMULHHLl/"),
    (one, "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$eT8IETOHVE2.emyTakHmhYEHYGKt891/SROwu2XOXv1"),
    (foreign, "$5$rounds=1000$saltstring$LJMvMYnxeo0xPPQEq0XlxQA.eAX8b2lmrb6qsBHCjI."),
    (
      foreign,
      "$6$0123456789abcdef$iO5ja4PWlNlIp/xz4VzP4QrpwhxUNkh6IVxDvglnM8P8j9MDbtje5T3O5e4dUIWfviTcJILQZ9myYkBC/HNnV0"
    ),
    (foreign, "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$MjjrWO/V5DPvgLFTTxEWUQtR1ysDCd3Cu8pLKwK3RhA"),
    (Vectors.long, "$5$rounds=1000$saltstring$HHaXicVpxRzLcfrcS9bFdSKH31HUYVokXM8AqvmwIL0"),
    (
      Vectors.long,
      "$6$0123456789abcdef$/4EWrLrYDII3P7zKrZd0uWa2ZbDXMvwFZRbkUF8MdgkdD22row/oa7EllePoAZWtHAI0JCxM/YZ4x9wTG1I/f/"
    ),
    (Vectors.long, "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$nFgiHQzkxh6DgyBMcFg19oWu/eafvE0yy08IS9VjhO4"),
    (
      one, "{CRYPT}$6$saltstring$mR3xk8UqdLRK2mLwzGrr1TecXAYWi2CTZWeh1ytKHUzwcwQp1oK8XLRQ1d1U4g8c8pNDBpXyd5E0SswfvbDdG1"
    ),
    (one, "{crypt}$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"),
  ]

  static let prehashed: [Vector] = [
    (one, "$wp$2y$04$F3dFOc91lvb0VxCGVmYJde/Lk1s9TA9DYNb3ClpKtgccXnEYqxwfy"),
    (one, "bcrypt_sha256$$2b$04$F3dFOc91lvb0VxCGVmYJdeDUDCakE3laC3srowk8iO9yVLB.ThaNe"),
    (foreign, "$wp$2y$04$F3dFOc91lvb0VxCGVmYJdeEK5PYl8XHOM8K7XfVZY4H1ZRd.HzmK."),
    (foreign, "bcrypt_sha256$$2b$04$F3dFOc91lvb0VxCGVmYJdezibSUWwBkJaG4JW86JqRlwfrOYShgT6"),
    (Vectors.long, "$wp$2y$04$F3dFOc91lvb0VxCGVmYJdeSTiD2BZrNq1ycd8ispyRfzjj0/jPSai"),
    (Vectors.long, "bcrypt_sha256$$2b$04$F3dFOc91lvb0VxCGVmYJdenTPreCcD.2vxdUzaJsKCeY6GArdtFlO"),
  ]

  static let django: [Vector] = [
    (one, "bcrypt$$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"),
    (
      one,
      "scrypt$16$saltOfDjango$8$1$rkrlLV2uCdtFvWQJMrSGWSs3JNw+m8L5S3UU+UO47lAQwjDpnt/5OY7PIhRSK2IhlTy0bQC1SBsDXzevh69OvQ=="
    ),
  ]

  static let phpass: [Vector] = [
    (foreign, "$P$6abcdefghPFwtNO1A/LE6O9MuSbzwD0"),
    (Vectors.long, "$H$512345678pYpxWW4W43I42KiRz2JZ6."),
  ]

  /// Hashes made by the systems' own code.
  static let ofSystems: [Vector] = [
    // the hashers of Django 5.2
    (foreign, "pbkdf2_sha1$1000$saltOfDjango22chars$e65lEh+iwAiGtN5xNIxQgtB+254="),
    (
      foreign,
      "scrypt$64$saltOfDjango22chars$8$5$a0ZrhovtOVv9xXU81DvMdLxzOOvSsP7B/Qov+xccP6ioydXsTe/P7m8WL0gapiSvte71ALvPUlzMcBLSfQcwEQ=="
    ),
    (
      foreign,
      "argon2$argon2id$v=19$m=64,t=1,p=2$c2FsdE9mRGphbmdvMjJjaGFycw$NxKy0yhVs2QQUFgA0kv6N8D2wNHf1xQl61GuwzkdbjY"
    ),
    // argon2-cffi 25.1
    (foreign, "$argon2i$v=19$m=64,t=1,p=4$zBygwjsL+/a7ZFIyGQPn1g$MvMC96LBse5v6JDB8gYa6ob/9AxIVsAa9djQemmyX8w"),
    // passlib 1.7.4
    (foreign, "$pbkdf2-sha256$1000$2luLce49J8SYEwLgfK8V4g$cE1Qw/5flXejvpKDTNp8HnChevW2voJgG/2.oaToHW8"),
    (one, "{PBKDF2-SHA256}1000$KeXcu7eWMgZgbA2BkHKu1Q$vETeiRHlXGFSuz86qmPGCMFKXtO53C6RvXWiDdW/G6A"),
    (
      foreign,
      "{PBKDF2-SHA512}1000$sTYmBGAMYWytlXJuLeUcYw$E1hichbM5XdpuGcECiz3sswqwHWfMDJ6k66eALhY1CnSU.59hIXDjwrjlP3GflUeWyQnqb3cq3tAwX3c.hQ8Kw"
    ),
    (
      Vectors.long,
      "{SSHA512}LwPmF6UrH3hwv19Zyb+mVHMuRVALSrlO14am2JOt036kdCWASbCl0GFxOxttQc8tuVg+4Y95ePfgY2AJVHJqwanVek9JKQVg"
    ),
    (one, "{SSHA}PHdftNvlnUroUbxe62W1RuO1rZyNkXLO"),
    ("", "{SSHA256}xHleGbSfxlrjmn5WZ5SKjPv0woHKerBDdF1vdamgcaYeg/D+P6f0Hg=="),
    (one, "$P$5dL5RO9Plvp3EYJP0mDFy3s/UcXs7C0"),
    (foreign, "$5$rounds=1000$im8hIO1OXfn8hmid$6lNj.ZIvQP.Ky3cHT79OkbJIlaGh0CvfHTS.oGTngY6"),
    // mkpasswd of Debian 12
    (one, "$y$j75$6ZjwRgJUs9nvtCftliUDi1$1SEpDC68cMKKIqP01QK4axZCYlvnKeToq9Opkojg9o5"),
    (
      one,
      "$6$rounds=1000$sTRoVHu6n90/MvHR$QQE3UpmhVWimUSgroctfM8MpTl0TH3dByIMj/KyEmO9S.gsFVij1KAj1K7dQYV7a7HvRUcj1CzQzkxadB8X1W."
    ),
    // wp_hash_password() of WordPress 6.8, by PHP 8.2. The last hash is of this password between spaces, line ends and
    // NUL bytes
    (one, "$wp$2y$04$Y1yttTXNkH2Kyj/awibXjOSqJ2BD2BUuzBiLhhZrzVFwjvI6ZjWZq"),
    (foreign, "$wp$2y$04$WsKVZ80YzEu.A7fAW1AKteVUwgYayUDfbVumWUX1ELU9E5UIr0EDS"),
    ("spaced \u{A0}made-up", "$wp$2y$04$PHbu7MD3jJV5ukqExQh0/en60s46PSeVUpseUm.sJ2zOtWXdzEVkO"),
  ]

  /// Hashes of 511 and 4096 bytes "x", the longest passwords that the schemes accept.
  static let longest = (
    crypt: "$5$rounds=1000$saltstring$gc/Quph221SWgv8LdjbY.XopiOD/ReuGrQFEXg7ohiA",
    phpass: "$P$5abcdefghxBIGRTVIYKTacBAcxTQZY/"
  )

  static let elsewhere = published + directory389 + pbkdf2 + salted + crypt + prehashed + django + phpass + ofSystems
}
