// libpq, and those of its macros that Swift cannot read: the fields of an error are characters there.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H
#include <postgresql/libpq-fe.h>

static const int pq_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int pq_sqlstate = PG_DIAG_SQLSTATE;
static const int pq_message = PG_DIAG_MESSAGE_PRIMARY;
static const int pq_constraint = PG_DIAG_CONSTRAINT_NAME;

// Loads libpq. Returns NULL, or the loader's message if that fails.
const char * pq_load_failure(void);

#endif
