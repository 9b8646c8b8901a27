internal import Glibc
internal import TestSupport

/// A port that takes no more connections: its queue is full, so the system ignores further ones.
final class UnansweringListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() {
        let (listener, port) = LoopbackSocket.listening(backlog: 0)
        self.port = port
        descriptors = [listener] + (0..<8).map { _ in LoopbackSocket.connecting(to: port) }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
