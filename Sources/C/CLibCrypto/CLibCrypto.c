// Debian's libcrypto: only installations that have taken over the hashes of another system need it. If it cannot be
// loaded, each function fails as for lack of memory.

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
// otherwise libcrypto's calls of its own functions would come here
#pragma GCC visibility push(hidden)
#include "CLibCrypto.h"
#pragma GCC visibility pop

#define LIBRARY "libcrypto.so.3"
#define WHY crypto_load_failure
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
#define VARIADIC(F)
#include "../LateLibrary.h"
