internal import CEventShim
internal import Concurrency
internal import EventLoop

/// The body of a response that goes on, such as `text/event-stream`: parts are sent as they occur, until either side
/// ends it. Belongs to one response (`HTTPResponse.init(status:headers:stream:)`).
///
/// Any thread may send and close. Parts are sent in the order of the calls and by reference, so clients share their
/// memory; parts sent before the head are kept until then. A client is reset and counted as `slowReader` if it has over
/// 64 KiB unread when the next part comes, or takes longer than one or two `HTTPServerOptions.writeTimeout` for a part.
/// So send what is due at once as one part. A regular heartbeat finds clients that have vanished.
@safe
package final class HTTPEventStream: @unchecked Sendable {
    private struct State {
        /// The loop of the connection; nil until the head is sent.
        var loop: EventLoop?
        /// Parts to send after the head.
        var early: [HTTPBody] = []
        var isEnding = false
        var isClosed = false
    }

    /// Owned by the response, so that a stream whose response is never sent is closed.
    final class Opening: Sendable {
        let stream: HTTPEventStream

        init(_ stream: HTTPEventStream) { self.stream = stream }

        deinit { stream.end(unlessOpen: true) }
    }

    private let state = Mutex(State())
    private let onClose: @Sendable () -> Void
    /// The shim's stream, until it is gone. Used on its loop only.
    private var shim: OpaquePointer?

    /// Makes a stream whose head is not sent yet.
    ///
    /// - Parameter onClose: called once, when nothing more can be sent: the client is gone or was dropped, the stream
    ///   ended and all of it was sent, or the server stopped. Called on a loop, so it must be quick.
    package init(onClose: @escaping @Sendable () -> Void = {}) {
        self.onClose = onClose
    }

    /// Whether a part that is sent now may still arrive.
    package var isOpen: Bool { state.withLock { !$0.isEnding && !$0.isClosed } }

    /// Sends a part after those before it; does nothing if the stream has ended.
    package func send(_ part: HTTPBody) {
        let loop: EventLoop? = state.withLock { state in
            guard !state.isEnding, !state.isClosed else { return nil }
            if state.loop == nil { state.early.append(part) }
            return state.loop
        }
        loop?.execute { [self] in deliver(part) }
    }

    /// Ends the stream, and its connection, after the parts sent so far.
    package func close() {
        let loop: EventLoop? = state.withLock { state in
            state.isEnding = true
            return state.loop
        }
        loop?.execute { [self] in finish() }
    }

    /// Loop thread: begins with the shim's stream that the closure makes; closes if it makes none.
    func open(
        on loop: EventLoop, _ make: (larder_stream_closed_fn, UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        let context = unsafe Unmanaged.passRetained(self)
        let made = unsafe make(
            { context in
                guard let context = unsafe context else { return }
                let stream = unsafe Unmanaged<HTTPEventStream>.fromOpaque(context).takeRetainedValue()
                unsafe stream.shim = nil
                stream.end()
            }, context.toOpaque())
        guard unsafe made != nil else {
            unsafe context.release()
            return end()
        }
        unsafe shim = unsafe made
        let (early, isEnding) = state.withLock { state in
            precondition(state.loop == nil, "a stream belongs to one response")
            state.loop = loop
            defer { state.early = [] }
            return (state.early, state.isEnding)
        }
        for part in early { deliver(part) }
        if isEnding { finish() }
    }

    private func deliver(_ part: HTTPBody) {
        guard let shim = unsafe shim else { return }
        var event = unsafe larder_reply()
        unsafe part.lend(to: &event)
        unsafe larder_stream_send(shim, &event)
    }

    private func finish() {
        if let shim = unsafe shim { unsafe larder_stream_end(shim) }
    }

    private func end(unlessOpen: Bool = false) {
        let isFirst = state.withLock { state in
            guard !state.isClosed, !unlessOpen || state.loop == nil else { return false }
            state.isClosed = true
            state.early = []
            return true
        }
        if isFirst { onClose() }
    }
}
