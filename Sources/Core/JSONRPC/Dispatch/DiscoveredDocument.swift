internal import Synchronization

/// The `rpc.discover` document of a table of methods. It is written when a caller first asks for it. Most callers never
/// do, and each JSON-RPC door (listening socket) has its own table.
final class DiscoveredDocument: Sendable {
  private let table: MethodTable
  private let version: String
  private let written = Mutex<[UInt8]?>(nil)

  init(of table: MethodTable, version: String) { (self.table, self.version) = (table, version) }

  /// The document's JSON. The first call writes it, and concurrent calls wait.
  var text: [UInt8] {
    written.withLock { written in
      if let written { return written }
      let text = OpenRPCDocument.text(of: table, version: version)
      written = text
      return text
    }
  }
}
