// jsonrpc-glib, the library of GNOME Builder: Content-Length headers over any GIOStream, values as GVariant.
#include <gio/gunixsocketaddress.h>
#include <jsonrpc-glib.h>
#include <stdlib.h>

static void fail(const char *what, const GError *error) {
  g_printerr("%s: %s\n", what, error ? error->message : "not as expected");
  exit(1);
}

static GVariant *call(JsonrpcClient *client, const char *method, GVariant *params) {
  g_autoptr(GError) error = NULL;
  GVariant *result = NULL;
  if (!jsonrpc_client_call(client, method, params, NULL, &result, &error)) fail(method, error);
  return result;
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: client SOCKET", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GSocketAddress) address = g_unix_socket_address_new(arguments[1]);
  g_autoptr(GSocketClient) socket = g_socket_client_new();
  GSocketConnection *connection = g_socket_client_connect(socket, G_SOCKET_CONNECTABLE(address), NULL, &error);
  if (!connection) fail(arguments[1], error);
  g_autoptr(JsonrpcClient) client = jsonrpc_client_new(G_IO_STREAM(connection));

  g_autoptr(GVariant) pong = call(client, "rpc.ping", NULL);
  g_print("%s\n", g_variant_get_string(pong, NULL));

  // In GVariant's own notation, because the library's macros have no null.
  g_autoptr(GVariant) answer = call(client, "registration.validate", g_variant_new_parsed(
      "{'email': <'email@test'>, 'password': <'12345'>, 'passwordConfirmation': <@mv nothing>}"));

  g_autoptr(GVariantIter) problems = NULL;
  if (!JSONRPC_MESSAGE_PARSE(answer, "problems", JSONRPC_MESSAGE_GET_ITER(&problems))) fail("problems", NULL);
  const char *separator = "";
  for (GVariant *problem; g_variant_iter_next(problems, "v", &problem); g_variant_unref(problem)) {
    const char *reason = NULL;
    if (!JSONRPC_MESSAGE_PARSE(problem, "reason", JSONRPC_MESSAGE_GET_STRING(&reason))) fail("reason", NULL);
    g_print("%s%s", separator, reason);
    separator = ",";
  }
  g_print("\n");
}
