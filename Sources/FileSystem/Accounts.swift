internal import Glibc

/// The users and groups of this machine, by their names. A look-up may wait for a directory service.
package enum Accounts {
    package static func user(_ name: String) -> UInt32? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        return unsafe withBuffer { bytes, size in
            unsafe getpwnam_r(name, &entry, bytes, size, &found) == 0 && found != nil ? entry.pw_uid : nil
        }
    }

    package static func group(_ name: String) -> UInt32? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return unsafe withBuffer { bytes, size in
            unsafe getgrnam_r(name, &entry, bytes, size, &found) == 0 && found != nil ? entry.gr_gid : nil
        }
    }

    private static func withBuffer<Value>(_ body: (UnsafeMutablePointer<CChar>, Int) -> Value?) -> Value? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe body($0, bytes.count) }
        }
    }
}
