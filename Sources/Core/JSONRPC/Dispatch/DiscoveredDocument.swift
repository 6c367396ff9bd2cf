internal import Synchronization

/// The `rpc.discover` document of a table of methods. It is written when a caller first asks, because most callers
/// never do, and each door (listening socket) of JSON-RPC has a table of its own.
final class DiscoveredDocument: Sendable {
  private let table: MethodTable
  private let version: String
  private let written = Mutex<[UInt8]?>(nil)

  init(of table: MethodTable, version: String) { (self.table, self.version) = (table, version) }

  /// The document's JSON. The first call writes it; concurrent calls wait meanwhile.
  var text: [UInt8] {
    written.withLock { written in
      if let written { return written }
      let text = OpenRPCDocument.text(of: table, version: version)
      written = text
      return text
    }
  }
}
