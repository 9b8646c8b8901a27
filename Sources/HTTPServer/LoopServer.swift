internal import CEventShim
internal import Concurrency
internal import EventLoop

/// The part of a server that belongs to one loop.
@safe
final class LoopServer: @unchecked Sendable {
    let loop: EventLoop
    /// A random number that identifies this loop's server among all processes.
    private let identity = UInt64.random(in: 0...UInt64.max)
    private let handler: LoopHandler
    /// The shim's server, which keeps this object alive through its context. Used on the loop only, like all below.
    private var server: OpaquePointer?
    private var alwaysServed: [String] = []
    private var proxies: TrustedProxies?
    private var isDrained = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// The exchange begun for a request that the shim delivers next.
    private var begun: PendingExchange?
    private(set) var handled = HTTPHandledCounts()
    /// Set when the server is freed; read on any thread, as the loop may be gone by then.
    let final = Mutex<(refusals: [HTTPRefusal: Int], handled: HTTPHandledCounts)?>(nil)

    init(
        loop: EventLoop, handler: any HTTPPortHandler, onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.loop = loop
        self.handler = LoopHandler(handler: handler, onError: onError)
    }

    /// Starts to accept, and returns the port of each address.
    func listen(
        on addresses: [ListenAddress], _ options: HTTPServerOptions, loops: Int, _ limits: ConnectionLimits,
        _ certificate: ServedCertificate?
    ) async throws(HTTPServerError) -> [UInt16] {
        let result: Result<[UInt16], HTTPServerError> = await loop.run { [self] in
            Result { () throws(HTTPServerError) in
                alwaysServed = options.alwaysServedPaths
                proxies = options.proxies
                return unsafe try open(
                    addresses, options.shim(loops: loops, limits: limits, tls: certificate?.shim),
                    usesFastPath: options.usesFastPath)
            }
        }
        return try result.get()
    }

    /// Resets the slowest readers of unshared bodies until so many bytes are released. Returns the number released.
    func resetSlowest(freeing wanted: Int) async -> Int {
        unsafe await onLoop { unsafe larder_server_reset_slowest($0, wanted) } ?? 0
    }

    /// Resets the readers of a body that need longer than the write timeout for the rest. Returns their number.
    func resetReaders(of body: HTTPBodyPlace) async -> Int {
        unsafe await onLoop { server in
            unsafe larder_server_reset_readers(server, UnsafeRawPointer(bitPattern: body.start), body.count)
        } ?? 0
    }

    /// Ends every connection with its next response.
    func beginDraining() async { unsafe await onLoop { unsafe larder_server_set_draining($0) } }

    /// Accepts the connections in the backlog and no more, and closes connections as they are idle.
    func endAccepting() async {
        unsafe await onLoop { server in
            unsafe larder_server_set_draining(server)
            unsafe larder_server_stop_accepting(server)
            unsafe larder_server_close_idle(server)
        }
    }

    /// Closes every connection at once.
    func abort() async { unsafe await onLoop { unsafe larder_server_abort_all($0) } }

    /// Calls the shim on its loop; nil before `listen` and after `close`.
    @discardableResult
    func onLoop<Value: Sendable>(_ call: @escaping @Sendable (OpaquePointer) -> Value) async -> Value? {
        await loop.run { [self] in unsafe server.map { unsafe call($0) } }
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
            final.withLock { $0 = (unsafe HTTPRefusal.counts(opened), handled) }
            unsafe larder_server_free(opened)
            unsafe Unmanaged.passUnretained(self).release()
        }
    }

    private func open(
        _ addresses: [ListenAddress], _ options: larder_server_options, usesFastPath: Bool
    ) throws(HTTPServerError) -> [UInt16] {
        var (options, callbacks) = unsafe (options, Self.callbacks)
        if !usesFastPath { unsafe callbacks.try_immediate = nil }
        if proxies == nil { unsafe callbacks.is_trusted = nil }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let made = unsafe larder_server_new(loop.handle, &options, &callbacks, context) else {
            throw .noResources
        }
        do {
            for address in addresses { unsafe try address.listen(made) }
        } catch {
            unsafe larder_server_free(made)
            throw error
        }
        _ = unsafe Unmanaged.passRetained(self)
        unsafe server = made
        return addresses.indices.map { unsafe larder_server_port(made, $0) }
    }

    private static var callbacks: larder_server_callbacks {
        unsafe larder_server_callbacks(
            is_trusted: { context, address in
                guard let proxies = unsafe LoopServer.of(context)?.proxies, let address = unsafe address else {
                    return 0
                }
                return proxies.trust(peer: unsafe String(cString: address)) ? 1 : 0
            },
            try_immediate: { context, request, head in
                guard let server = unsafe LoopServer.of(context), let request = unsafe request, let head = unsafe head
                else { return 0 }
                return unsafe server.tryImmediate(request, head.pointee) ? 1 : 0
            },
            forget: { kept in
                guard let kept = unsafe kept else { return }
                unsafe Unmanaged<HTTPRequestStorage>.fromOpaque(kept).release()
            },
            body_limit: { context, target, size in
                guard let server = unsafe LoopServer.of(context), let target = unsafe target else { return 0 }
                let text = unsafe String(decoding: UnsafeRawBufferPointer(start: target, count: size), as: UTF8.self)
                return max(0, server.handler.handler.bodyLimit(of: HTTPRequest(method: .post, target: text)))
            },
            request: { context, request, head in
                guard let server = unsafe LoopServer.of(context), let request = unsafe request, let head = unsafe head
                else { return }
                unsafe server.receive(request, head.pointee)
            },
            drained: { context in
                guard let server = unsafe LoopServer.of(context) else { return }
                server.isDrained = true
                for waiter in server.waiters { waiter.resume() }
                server.waiters = []
            },
            refused: { context, refused, to, size in
                guard let server = unsafe LoopServer.of(context), let refused = unsafe refused, let to = unsafe to
                else { return 0 }
                let request = unsafe HTTPRefusedRequest(refused.pointee, server: server.identity)
                let fields = server.handler.handler.fields(for: request).bytes
                guard fields.count <= size else { return 0 }
                unsafe UnsafeMutableRawBufferPointer(start: to, count: size).copyBytes(from: fields)
                return fields.count
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> LoopServer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<LoopServer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sends an immediate response. A pending one goes on when the shim delivers the request.
    private func tryImmediate(_ pointer: OpaquePointer, _ head: larder_head) -> Bool {
        let request = unsafe copy(pointer, head)
        let exchange = unsafe Exchange(pointer, sequence: head.sequence)
        let eventual = handler.respond(to: request)
        if case .ready(let response) = eventual, exchange.finishAtOnce(response) {
            handled.fastPath += 1
            return true
        }
        begun = PendingExchange(exchange: exchange, request: request, response: eventual)
        return false
    }

    private func copy(_ pointer: OpaquePointer, _ head: larder_head) -> HTTPRequest {
        if let repeated = unsafe HTTPRequestStorage.repeated(pointer, head) {
            return HTTPRequest(HTTPMethod(head.method), repeated)
        }
        let request = unsafe HTTPRequest(copying: pointer, head, server: identity)
        if head.is_proxied != 0 { proxies?.identify(request) }
        unsafe request.storage.keep(in: larder_request_kept(pointer))
        return request
    }

    private func receive(_ pointer: OpaquePointer, _ head: larder_head) {
        handled.evhttp += 1
        let exchange = unsafe Exchange(pointer, sequence: head.sequence)
        if let begun = begun.take(), begun.exchange == exchange {
            return proceed(exchange, head, with: begun.response, to: begun.request)
        }
        let request = unsafe copy(pointer, head)
        proceed(exchange, head, with: handler.respond(to: request), to: request)
    }

    /// Refuses an excess request if its response is pending; an immediate one needs no place. A task runs up to its
    /// first suspension before this returns, so one that does not suspend has responded by then.
    private func proceed(
        _ exchange: Exchange, _ head: larder_head, with eventual: EventualResponse, to request: HTTPRequest
    ) {
        switch eventual {
        case .ready(let response): exchange.finish(response, on: loop)
        case .pending where head.is_excess != 0 && !alwaysServed.contains { request.hasRawPath($0.utf8) }:
            exchange.refuse()
        case .pending where !exchange.count(for: request): break
        case .pending(let rest):
            loop.drain {
                Task(executorPreference: loop) { [self] in
                    let response = await handler.response(to: request, rest)
                    if loop.isCurrent {
                        exchange.finish(response, on: loop)
                    } else {
                        loop.execute { [loop] in exchange.finish(response, on: loop) }
                    }
                }
            }
        }
    }
}
