import Glibc

/// The minor faults of a thread: field 10 of stat, see proc(5).
func minorFaults(_ thread: Int32) -> Int {
  guard let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return 0 }
  defer { fclose(file) }
  var line = [UInt8](repeating: 0, count: 1024)
  let count = fread(&line, 1, 1024, file)
  let text = String(decoding: line.prefix(count), as: UTF8.self)
  let fields = text.drop { $0 != ")" }.split(separator: " ")
  return fields.count > 8 ? Int(fields[8]) ?? 0 : 0
}

func threads(named name: String) -> [Int32] {
  guard let directory = opendir("/proc/self/task") else { return [] }
  defer { closedir(directory) }
  var found: [Int32] = []
  while let entry = readdir(directory) {
    let id = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
    }
    guard let id, let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, file) != nil else { continue }
    if line.prefix(name.utf8.count).elementsEqual(name.utf8.map { CChar($0) }) { found.append(id) }
  }
  return found
}
