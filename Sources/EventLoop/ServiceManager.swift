internal import CEventShim
internal import Glibc

/// The service manager that started the process. It is notified by systemd's protocol `sd_notify`.
package struct ServiceManager: Sendable {
    private let socket: String
    /// The longest time between two watchdog messages; nil if the manager does not require any.
    package let watchdog: Duration?

    /// The manager that the environment names; nil without one.
    package init?(environment: [String: String]) {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@") else {
            return nil
        }
        self.socket = socket
        let isOwn = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) }
        watchdog = isOwn ? microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// A state of the process.
    package enum State: Sendable {
        case ready
        case reloading
        case stopping
        case alive

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        }

        private var microseconds: Int {
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &now)
            return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
        }
    }

    /// Tells the manager a state, without waiting. Returns the error's number if that fails, and 0 if not.
    @discardableResult
    package func tell(_ state: State) -> Int32 { unsafe larder_notify(socket, state.text) }
}

/// The listening sockets that a service manager has opened for the process, by the protocol of systemd's
/// `sd_listen_fds`.
package struct InheritedSockets: Sendable {
    private static let first: Int32 = 3
    private static let most = 64

    /// The descriptors, each with the name that the manager gave it.
    package let sockets: [(name: String, descriptor: Int32)]

    /// The sockets that the environment names; none if they are for another process.
    package init(environment: [String: String]) {
        guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }),
            (1...Int32(Self.most)).contains(count)
        else {
            sockets = []
            return
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        sockets = (0..<count).map { index in
            (names.indices.contains(Int(index)) ? String(names[Int(index)]) : "unknown", Self.first + index)
        }
    }

    /// The descriptors of a name; of all sockets without one.
    package func descriptors(named name: String?) -> [Int32] {
        sockets.filter { name == nil || $0.name == name }.map(\.descriptor)
    }
}
