import CSQLite
import Glibc
import Synchronization

/// SQLite's file access (sqlite3_vfs) on a disk that fails when a test requests it.
enum FailingDisk {
  /// An operation that SQLite is about to perform on a file.
  enum Operation {
    case write, sync
  }

  /// Returns nil to let the operation succeed, or the code with which it fails.
  typealias Fault = @Sendable (Operation) -> Int32?

  /// An operation that was performed on a file.
  enum Effect: Sendable {
    case wrote([UInt8], at: Int)
    case truncated(to: Int)
    case synced
  }

  private struct Guarded {
    var faults: [String: Fault] = [:]
    var witnesses: [String: @Sendable (Effect) -> Void] = [:]
    var withoutSharedMemory: Set<String> = []
    /// For each open file its path and SQLite's own functions (as numbers, because pointers are not Sendable).
    var files: [UInt: (path: String, methods: UInt)] = [:]
    var patched: [PatchKey: UInt] = [:]
  }

  private struct PatchKey: Hashable {
    let methods: UInt
    let hasSharedMemory: Bool
  }

  private static let guarded = Mutex(Guarded())

  /// The name of the VFS with which to open a database.
  static let name: String = {
    guard let own = sqlite3_vfs_find(nil) else { return "" }
    let failing = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    failing.initialize(to: own.pointee)
    failing.pointee.pNext = nil
    failing.pointee.zName = UnsafePointer(strdup("failing-disk"))
    failing.pointee.xOpen = { _, name, file, flags, out in
      guard let own = sqlite3_vfs_find("unix"), let open = own.pointee.xOpen else { return SQLITE_ERROR }
      let code = open(own, name, file, flags, out)
      if code == SQLITE_OK, let file, let name { FailingDisk.patch(file, String(cString: name)) }
      return code
    }
    return sqlite3_vfs_register(failing, 0) == SQLITE_OK ? "failing-disk" : ""
  }()

  /// From now on operations on the file fail with the code of `fault`. Nil ends this.
  static func set(_ path: String, _ fault: Fault?) { guarded.withLock { $0.faults[path] = fault } }

  /// From now on the witness gets each operation on the file. Nil ends this.
  static func watch(_ path: String, _ witness: (@Sendable (Effect) -> Void)?) {
    guarded.withLock { $0.witnesses[path] = witness }
  }

  /// From now on the database at this path is on a file system without shared memory.
  static func hasNoSharedMemory(_ path: String) { _ = guarded.withLock { $0.withoutSharedMemory.insert(path) } }

  private static func patch(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
    guard let own = file.pointee.pMethods else { return }
    let patched = guarded.withLock { guarded -> UInt in
      let number = UInt(bitPattern: own)
      guarded.files[UInt(bitPattern: file)] = (path, number)
      let key = PatchKey(methods: number, hasSharedMemory: !guarded.withoutSharedMemory.contains(path))
      if let made = guarded.patched[key] { return made }
      let made = UInt(bitPattern: make(own.pointee, key.hasSharedMemory))
      guarded.patched[key] = made
      return made
    }
    file.pointee.pMethods = UnsafePointer(bitPattern: patched)
  }

  private static func make(
    _ own: sqlite3_io_methods, _ hasSharedMemory: Bool
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: own)
    // the functions for shared memory exist since version 2
    if !hasSharedMemory { methods.pointee.iVersion = 1 }
    methods.pointee.xWrite = { file, bytes, count, offset in
      FailingDisk.fault(file, .write)
        ?? FailingDisk.told(file, FailingDisk.own(file)?.xWrite(file, bytes, count, offset)) {
          .wrote(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))), at: Int(offset))
        }
    }
    methods.pointee.xTruncate = { file, size in
      FailingDisk.told(file, FailingDisk.own(file)?.xTruncate(file, size)) { .truncated(to: Int(size)) }
    }
    methods.pointee.xSync = { file, flags in
      FailingDisk.fault(file, .sync)
        ?? FailingDisk.told(file, FailingDisk.own(file)?.xSync(file, flags)) { .synced }
    }
    methods.pointee.xClose = { file in
      guard let own = FailingDisk.own(file) else { return SQLITE_IOERR }
      FailingDisk.guarded.withLock { $0.files[UInt(bitPattern: file)] = nil }
      return own.xClose(file)
    }
    return methods
  }

  private static func own(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods? {
    let number = guarded.withLock { $0.files[UInt(bitPattern: file)]?.methods }
    return number.flatMap { UnsafePointer<sqlite3_io_methods>(bitPattern: $0)?.pointee }
  }

  private static func fault(_ file: UnsafeMutablePointer<sqlite3_file>?, _ operation: Operation) -> Int32? {
    let fault = guarded.withLock { guarded in
      guarded.files[UInt(bitPattern: file)].flatMap { guarded.faults[$0.path] }
    }
    return fault?(operation)
  }

  /// - Returns: The code, after the witness got the operation if it succeeded.
  private static func told(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ code: Int32?, _ effect: () -> Effect
  ) -> Int32 {
    guard code == SQLITE_OK else { return code ?? SQLITE_IOERR }
    let witness = guarded.withLock { guarded in
      guarded.files[UInt(bitPattern: file)].flatMap { guarded.witnesses[$0.path] }
    }
    witness?(effect())
    return SQLITE_OK
  }
}
