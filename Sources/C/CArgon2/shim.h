#include <argon2.h>
#include <stddef.h>
#include <stdint.h>

// Runs Argon2 version 1.3 with any number of lanes, computed one after the other on the calling thread. The pool
// decides how many run at once, and not the hash: argon2id_hash_raw would start a thread for each lane. Returns one of
// Argon2_ErrorCodes.
static inline int argon2_on_this_thread(argon2_type type, uint32_t memory_kib, uint32_t passes, uint32_t lanes,
                                        const void *password, size_t password_length, const void *salt,
                                        size_t salt_length, uint8_t *tag, size_t tag_length) {
  if (password_length > UINT32_MAX) return ARGON2_PWD_TOO_LONG;
  if (salt_length > UINT32_MAX) return ARGON2_SALT_TOO_LONG;
  if (tag_length > UINT32_MAX) return ARGON2_OUTPUT_TOO_LONG;
  // the casts only remove const: without ARGON2_FLAG_CLEAR_PASSWORD only the tag is written
  argon2_context context = {
      .out = tag,
      .outlen = (uint32_t)tag_length,
      .pwd = (uint8_t *)password,
      .pwdlen = (uint32_t)password_length,
      .salt = (uint8_t *)salt,
      .saltlen = (uint32_t)salt_length,
      .t_cost = passes,
      .m_cost = memory_kib,
      .lanes = lanes,
      .threads = 1,
      .version = ARGON2_VERSION_13,
      .flags = ARGON2_DEFAULT_FLAGS,
  };
  return argon2_ctx(&context, type);
}
