// Debian's libpq: most installations have no PostgreSQL, and libpq loads OpenSSL, Kerberos and LDAP. If it cannot be
// loaded, each function fails as on a connection that has ended.

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
// otherwise libpq's calls of its own functions would come here
#pragma GCC visibility push(hidden)
#include "CPostgreSQL.h"
#pragma GCC visibility pop

#define LIBRARY "libpq.so.5"
#define WHY pq_load_failure
#define FUNCTIONS(F) \
  F(PGconn *, PQconnectStartParams, \
    (const char *const *keywords, const char *const *values, int expand), \
    (keywords, values, expand), NULL) \
  F(PostgresPollingStatusType, PQconnectPoll, (PGconn *session), (session), PGRES_POLLING_FAILED) \
  F(PGVerbosity, PQsetErrorVerbosity, (PGconn *session, PGVerbosity verbosity), (session, verbosity), PQERRORS_DEFAULT) \
  F(int, PQconnectionNeedsPassword, (const PGconn *session), (session), 0) \
  F(PGPing, PQpingParams, \
    (const char *const *keywords, const char *const *values, int expand), \
    (keywords, values, expand), PQPING_NO_RESPONSE) \
  F(void, PQfinish, (PGconn *session), (session), (void)0) \
  F(PQconninfoOption *, PQconninfoParse, (const char *text, char **problem), (text, problem), NULL) \
  F(PQconninfoOption *, PQconninfo, (PGconn *session), (session), NULL) \
  F(void, PQconninfoFree, (PQconninfoOption *options), (options), (void)0) \
  F(ConnStatusType, PQstatus, (const PGconn *session), (session), CONNECTION_BAD) \
  F(PGTransactionStatusType, PQtransactionStatus, (const PGconn *session), (session), PQTRANS_UNKNOWN) \
  F(char *, PQerrorMessage, (const PGconn *session), (session), failure) \
  F(int, PQsocket, (const PGconn *session), (session), -1) \
  F(PQnoticeReceiver, PQsetNoticeReceiver, \
    (PGconn *session, PQnoticeReceiver receiver, void *context), \
    (session, receiver, context), NULL) \
  F(int, PQsendQueryParams, \
    (PGconn *session, const char *sql, int count, const Oid *types, const char *const *values, \
     const int *lengths, const int *formats, int format), \
    (session, sql, count, types, values, lengths, formats, format), 0) \
  F(int, PQsendPrepare, \
    (PGconn *session, const char *name, const char *sql, int count, const Oid *types), \
    (session, name, sql, count, types), 0) \
  F(int, PQsendQueryPrepared, \
    (PGconn *session, const char *name, int count, const char *const *values, const int *lengths, \
     const int *formats, int format), \
    (session, name, count, values, lengths, formats, format), 0) \
  F(PGresult *, PQgetResult, (PGconn *session), (session), NULL) \
  F(int, PQisBusy, (PGconn *session), (session), 0) \
  F(int, PQconsumeInput, (PGconn *session), (session), 0) \
  F(int, PQenterPipelineMode, (PGconn *session), (session), 0) \
  F(int, PQpipelineSync, (PGconn *session), (session), 0) \
  F(int, PQsendFlushRequest, (PGconn *session), (session), 0) \
  F(int, PQsetnonblocking, (PGconn *session, int on), (session, on), -1) \
  F(int, PQflush, (PGconn *session), (session), -1) \
  F(ExecStatusType, PQresultStatus, (const PGresult *result), (result), PGRES_FATAL_ERROR) \
  F(char *, PQresultErrorMessage, (const PGresult *result), (result), failure) \
  F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field), NULL) \
  F(int, PQntuples, (const PGresult *result), (result), 0) \
  F(char *, PQcmdStatus, (PGresult *result), (result), failure) \
  F(char *, PQcmdTuples, (PGresult *result), (result), failure) \
  F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column), failure) \
  F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column), 0) \
  F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column), 1) \
  F(void, PQclear, (PGresult *result), (result), (void)0)
#define VARIADIC(F)
#include "../LateLibrary.h"
