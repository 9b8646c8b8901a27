internal import CEventShim
internal import EventLoop

/// The part of a server that lives on one loop.
@safe
final class LoopServer: @unchecked Sendable {
    let loop: EventLoop
    private let handler: any HTTPHandler
    private let onError: @Sendable (any Error, HTTPRequest) -> Void
    /// The shim's server, which keeps this object alive through its context. Touched on the loop only, as all below.
    private var server: OpaquePointer?
    private var isDrained = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(
        loop: EventLoop, handler: any HTTPHandler, onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        self.onError = onError
    }

    /// Starts to accept and gives the port.
    func listen(on address: ListenAddress, _ options: HTTPServerOptions) async throws(HTTPServerError) -> UInt16 {
        let result: Result<UInt16, HTTPServerError> = await loop.run { [self] in
            Result { () throws(HTTPServerError) in try open(address, options) }
        }
        return try result.get()
    }

    /// Connections open now.
    func connectionCount() async -> Int {
        await loop.run { [self] in unsafe server.map { unsafe larder_server_connections($0) } ?? 0 }
    }

    /// Requests not answered yet.
    func outstandingCount() async -> Int {
        await loop.run { [self] in unsafe server.map { unsafe larder_server_outstanding($0) } ?? 0 }
    }

    /// Every answer ends its connection from now on.
    func beginDraining() async {
        await loop.run { [self] in unsafe server.map { unsafe larder_server_set_draining($0) } }
    }

    /// Accepts nothing more and closes what is idle, now or later.
    func endAccepting() async {
        await loop.run { [self] in
            guard let server = unsafe server else { return }
            unsafe larder_server_set_draining(server)
            unsafe larder_server_stop_accepting(server)
            unsafe larder_server_close_idle(server)
        }
    }

    /// Closes every connection, whatever it is doing.
    func abort() async {
        await loop.run { [self] in unsafe server.map { unsafe larder_server_abort_all($0) } }
    }

    /// Waits until the listener and the last connection are gone. `endAccepting` must have been called.
    func drained() async {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                if isDrained { continuation.resume() } else { waiters.append(continuation) }
            }
        }
    }

    /// Frees the shim's server. Only when drained.
    func close() async {
        await loop.run { [self] in
            guard let opened = unsafe server else { return }
            unsafe server = nil
            unsafe larder_server_free(opened)
            unsafe Unmanaged.passUnretained(self).release()
        }
    }

    private func open(_ address: ListenAddress, _ options: HTTPServerOptions) throws(HTTPServerError) -> UInt16 {
        var shimOptions = options.shim
        var callbacks = unsafe larder_server_callbacks(request: Self.onRequest, drained: Self.onDrained)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let made = unsafe larder_server_new(loop.handle, &shimOptions, &callbacks, context) else {
            throw .noResources
        }
        do {
            unsafe try address.listen(made)
        } catch {
            unsafe larder_server_free(made)
            throw error
        }
        _ = unsafe Unmanaged.passRetained(self)
        unsafe server = made
        return unsafe larder_server_port(made)
    }

    private static let onRequest:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<larder_head>?) -> Void = {
            context, request, head in
            guard let context = unsafe context, let request = unsafe request, let head = unsafe head else { return }
            let server = unsafe Unmanaged<LoopServer>.fromOpaque(context).takeUnretainedValue()
            unsafe server.receive(request, head.pointee)
        }

    private static let onDrained: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context = unsafe context else { return }
        let server = unsafe Unmanaged<LoopServer>.fromOpaque(context).takeUnretainedValue()
        server.isDrained = true
        for waiter in server.waiters { waiter.resume() }
        server.waiters = []
    }

    /// The task's first steps are made before this returns, so a handler that does not suspend has answered by then.
    private func receive(_ pointer: OpaquePointer, _ head: larder_head) {
        let request = unsafe HTTPRequest(copying: pointer, head)
        let exchange = unsafe Exchange(pointer, sequence: head.sequence)
        loop.drain {
            Task(executorPreference: loop) { [self] in
                let response = await answer(request)
                if loop.isCurrent {
                    exchange.finish(response)
                } else {
                    loop.execute { exchange.finish(response) }
                }
            }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await handler.respond(to: request)
        } catch {
            if !(error is any HTTPResponseError) { onError(error, request) }
            return HTTPResponse(for: error)
        }
    }
}
