// libjson-rpc-cpp with its own UnixDomainSocketClient: a newline ends a message, and every call opens a connection.
#include <iostream>
#include <jsonrpccpp/client.h>
#include <jsonrpccpp/client/connectors/unixdomainsocketclient.h>

int main(int count, char **arguments) {
  if (count != 2) return 2;
  jsonrpc::UnixDomainSocketClient socket(arguments[1]);
  jsonrpc::Client client(socket);
  try {
    std::cout << client.CallMethod("rpc.ping", Json::nullValue).asString() << "\n";

    Json::Value form;
    form["email"] = "email@test";
    form["password"] = "12345";
    form["passwordConfirmation"] = Json::nullValue;
    const Json::Value answer = client.CallMethod("registration.validate", form);
    const char *separator = "";
    for (const Json::Value &problem : answer["problems"]) {
      std::cout << separator << problem["reason"].asString();
      separator = ",";
    }
    std::cout << "\n";
  } catch (const jsonrpc::JsonRpcException &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
