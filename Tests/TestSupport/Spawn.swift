internal import FileSystem
package import Glibc

/// Starts a program with its outputs in files, in a directory, with nothing else inherited.
package enum Spawn {
    /// The shell goes where it is told to and becomes the program, which so has the process number that was given.
    private static let changeDirectory = "cd \"$0\" && exec \"$@\""

    package struct Failure: Error {
        let code: Int32
    }

    package static func start(
        _ path: String, _ arguments: [String], environment: [String], directory: String, input: String = "/dev/null",
        output: String, error: String
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        for descriptor in try openDescriptors() { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        useDefaultSignals(&attributes)
        var pid: pid_t = 0
        let code = unsafe withCStrings(["sh", "-c", changeDirectory, directory, path] + arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw Failure(code: code) }
        return pid
    }

    private static func openDescriptors() throws -> [Int32] {
        try Files.list("/proc/self/fd").compactMap { Int32($0) }.filter { $0 > 2 }
    }

    /// Undoes what the test process ignores or blocks.
    private static func useDefaultSignals(_ attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return try unsafe body(copies + [nil])
    }
}
