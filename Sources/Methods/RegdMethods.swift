package import JSONRPC
package import Registration

/// All methods of regd. A new method is one file and one line here.
package enum RegdMethods {
  package static func table(
    registrar: Registrar, normalizer: any TextNormalizer, info: ServerInfo, accounts: PeerAccounts
  ) -> MethodTable {
    MethodTable([
      PingMethod.method,
      DiscoverMethod.method,
      ServerInfoMethod.make(info),
      CancelMethod.method,
      CancelMethod.alias,
      ValidateMethod.make(registrar, normalizer),
      CheckEmailMethod.make(registrar),
      RegisterMethod.make(registrar, normalizer),
      SignInMethod.make(registrar, normalizer),
      StatusMethod.make(info, accounts),
    ])
  }
}
