/// Who is on the other end of a connection, as the kernel says (SO_PEERCRED, unix(7)).
package struct Caller: Hashable, Sendable {
  package var uid: UInt32
  package var gid: UInt32
  /// 0 where it is not known.
  package var pid: Int32

  package init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }
}
