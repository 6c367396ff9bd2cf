// Debian's libcrypto is loaded at the first call and not with the program, for the reason in CCurl.c: only installations that have
// taken over the hashes of another system need it. Where it cannot be loaded each function fails as it does without memory;
// crypto_load_failure() says why.
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
// else libcrypto's calls of itself would come by here
#pragma GCC visibility push(hidden)
#include "CLibCrypto.h"
#pragma GCC visibility pop

// Result, name, parameters, arguments, and the result without the library.
#define FUNCTIONS(F) \
  F(EVP_MD_CTX *, EVP_MD_CTX_new, (void), (), NULL) \
  F(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context), (void)0) \
  F(int, EVP_DigestInit_ex, \
    (EVP_MD_CTX *context, const EVP_MD *function, ENGINE *engine), (context, function, engine), 0) \
  F(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count), 0) \
  F(int, EVP_DigestFinal_ex, \
    (EVP_MD_CTX *context, unsigned char *digest, unsigned int *count), (context, digest, count), 0) \
  F(const EVP_MD *, EVP_md5, (void), (), NULL) \
  F(const EVP_MD *, EVP_sha1, (void), (), NULL) \
  F(const EVP_MD *, EVP_sha256, (void), (), NULL) \
  F(const EVP_MD *, EVP_sha384, (void), (), NULL) \
  F(const EVP_MD *, EVP_sha512, (void), (), NULL) \
  F(int, PKCS5_PBKDF2_HMAC, \
    (const char *password, int password_length, const unsigned char *salt, int salt_length, int iterations, \
     const EVP_MD *function, int key_length, unsigned char *key), \
    (password, password_length, salt, salt_length, iterations, function, key_length, key), 0) \
  F(unsigned char *, HMAC, \
    (const EVP_MD *function, const void *key, int key_length, const unsigned char *bytes, size_t count, \
     unsigned char *digest, unsigned int *digest_length), \
    (function, key, key_length, bytes, count, digest, digest_length), NULL) \
  F(int, EVP_EncodeBlock, (unsigned char *text, const unsigned char *bytes, int count), (text, bytes, count), 0) \
  F(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), (), NULL) \
  F(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *context), (context), (void)0) \
  F(const EVP_CIPHER *, EVP_aes_256_ctr, (void), (), NULL) \
  F(int, EVP_EncryptInit_ex, \
    (EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key, \
     const unsigned char *vector), \
    (context, cipher, engine, key, vector), 0) \
  F(int, EVP_EncryptUpdate, \
    (EVP_CIPHER_CTX *context, unsigned char *output, int *output_count, const unsigned char *input, int count), \
    (context, output, output_count, input, count), 0)

#define MEMBER(result, name, ...) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } loaded;
static char failure[512];

static void load(void) {
  // never closed: its atexit handlers stay
  void *const library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
#define FIND(result, name, ...) \
  if (failure[0] == 0 && (library == NULL || (loaded.name = (__typeof__(&name))dlsym(library, #name)) == NULL)) \
    snprintf(failure, sizeof failure, "%s", dlerror());
  FUNCTIONS(FIND)
}

static int is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure[0] == 0;
}

const char *crypto_load_failure(void) { return is_there() ? NULL : failure; }

#define FORWARD(result, name, parameters, arguments, otherwise) \
  result name parameters { return is_there() ? loaded.name arguments : otherwise; }
FUNCTIONS(FORWARD)
