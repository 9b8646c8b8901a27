/// What the C loop calls back through: it exists before the loop that it points to, and keeps the loop alive until
/// `EventLoop.shutdown` has joined the thread.
final class DrainTarget: @unchecked Sendable {
    var loop: EventLoop?
}
