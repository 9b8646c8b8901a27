internal import CEventShim
internal import Concurrency
internal import EventLoop

/// The part of a server that lives on one loop.
@safe
final class LoopServer: @unchecked Sendable {
    let loop: EventLoop
    /// A random number that no other server of any process has.
    private let identity = UInt64.random(in: 0...UInt64.max)
    private let handler: any HTTPPortHandler
    private let onError: @Sendable (any Error, HTTPRequest) -> Void
    /// The shim's server, which keeps this object alive through its context. Touched on the loop only, as all below.
    private var server: OpaquePointer?
    private var alwaysServed: [String] = []
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
        self.handler = handler
        self.onError = onError
    }

    /// Starts to accept and gives the port.
    func listen(
        on address: ListenAddress, _ options: HTTPServerOptions, loops: Int, _ limits: ConnectionLimits,
        _ certificate: ServedCertificate?
    ) async throws(HTTPServerError) -> UInt16 {
        let result: Result<UInt16, HTTPServerError> = await loop.run { [self] in
            Result { () throws(HTTPServerError) in
                alwaysServed = options.alwaysServedPaths
                return unsafe try open(
                    address, options.shim(loops: loops, limits: limits, tls: certificate?.shim),
                    usesFastPath: options.usesFastPath)
            }
        }
        return try result.get()
    }

    /// Resets the clients that read unshared bodies most slowly, until so many bytes are released. Gives how many were.
    func resetSlowest(freeing wanted: Int) async -> Int {
        unsafe await ask { unsafe larder_server_reset_slowest($0, wanted) } ?? 0
    }

    /// Every answer ends its connection from now on.
    func beginDraining() async { unsafe await ask { unsafe larder_server_set_draining($0) } }

    /// Accepts what waits already and nothing more, and closes what is idle, now or later.
    func endAccepting() async {
        unsafe await ask { server in
            unsafe larder_server_set_draining(server)
            unsafe larder_server_stop_accepting(server)
            unsafe larder_server_close_idle(server)
        }
    }

    /// Closes every connection, whatever it is doing.
    func abort() async { unsafe await ask { unsafe larder_server_abort_all($0) } }

    /// Calls the shim on its loop; nil before `listen` and after `close`.
    @discardableResult
    func ask<Value: Sendable>(_ call: @escaping @Sendable (OpaquePointer) -> Value) async -> Value? {
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
        _ address: ListenAddress, _ options: larder_server_options, usesFastPath: Bool
    ) throws(HTTPServerError) -> UInt16 {
        var (options, callbacks) = unsafe (options, Self.callbacks)
        if !usesFastPath { unsafe callbacks.try_immediate = nil }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let made = unsafe larder_server_new(loop.handle, &options, &callbacks, context) else {
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

    private static var callbacks: larder_server_callbacks {
        unsafe larder_server_callbacks(
            try_immediate: { context, request, head in
                guard let server = unsafe LoopServer.of(context), let request = unsafe request, let head = unsafe head
                else { return 0 }
                return unsafe server.tryImmediate(request, head.pointee) ? 1 : 0
            },
            body_limit: { context, target, size in
                guard let server = unsafe LoopServer.of(context), let target = unsafe target else { return 0 }
                let text = unsafe String(decoding: UnsafeRawBufferPointer(start: target, count: size), as: UTF8.self)
                return max(0, server.handler.bodyLimit(of: HTTPRequest(method: .post, target: text)))
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
            refused: { context, refused, to, room in
                guard let server = unsafe LoopServer.of(context), let refused = unsafe refused, let to = unsafe to
                else { return 0 }
                let request = unsafe HTTPRefusedRequest(refused.pointee, server: server.identity)
                let fields = server.handler.fields(for: request).bytes
                guard fields.count <= room else { return 0 }
                unsafe UnsafeMutableRawBufferPointer(start: to, count: room).copyBytes(from: fields)
                return fields.count
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> LoopServer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<LoopServer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sends the response if the handler has it at once. If not, the exchange goes on when the shim delivers the request.
    private func tryImmediate(_ pointer: OpaquePointer, _ head: larder_head) -> Bool {
        let request = unsafe HTTPRequest(copying: pointer, head, server: identity)
        let exchange = unsafe Exchange(pointer, sequence: head.sequence)
        let answer = answer(to: request)
        if case .ready(let response) = answer, exchange.finishAtOnce(response) {
            handled.fastPath += 1
            return true
        }
        begun = PendingExchange(exchange: exchange, request: request, answer: answer)
        return false
    }

    private func receive(_ pointer: OpaquePointer, _ head: larder_head) {
        handled.evhttp += 1
        let exchange = unsafe Exchange(pointer, sequence: head.sequence)
        if let begun = begun.take(), begun.exchange == exchange {
            return proceed(exchange, head, with: begun.answer, to: begun.request)
        }
        let request = unsafe HTTPRequest(copying: pointer, head, server: identity)
        proceed(exchange, head, with: answer(to: request), to: request)
    }

    /// Refuses an excess request that would have to wait: an answer that is at hand takes no place from any other. A
    /// task's first steps are made before this returns, so one that does not suspend has answered by then.
    private func proceed(_ exchange: Exchange, _ head: larder_head, with answer: HTTPAnswer, to request: HTTPRequest) {
        switch answer {
        case .ready(let response): exchange.finish(response, on: loop)
        case .pending where head.is_excess != 0 && !alwaysServed.contains { request.hasRawPath($0.utf8) }:
            exchange.refuse()
        case .pending(let rest):
            loop.drain {
                Task(executorPreference: loop) { [self] in
                    let response = await response(to: request, rest)
                    if loop.isCurrent {
                        exchange.finish(response, on: loop)
                    } else {
                        loop.execute { [loop] in exchange.finish(response, on: loop) }
                    }
                }
            }
        }
    }

    /// The longest target whose request is answered on its loop, in bytes: to read a query, or to say what is wrong with
    /// it, takes time in proportion to its length.
    private static let longestTarget = 256

    private func answer(to request: HTTPRequest) -> HTTPAnswer {
        guard request.storage.layout.targetSize <= Self.longestTarget || request.isPathTooLong else {
            return .pending { [handler] in
                try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await handler.answer(to: request).response
                }
            }
        }
        do {
            return try handler.answer(to: request)
        } catch {
            return .ready(response(for: error, request))
        }
    }

    private func response(
        to request: HTTPRequest, _ rest: @Sendable () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await rest()
        } catch {
            return response(for: error, request)
        }
    }

    private func response(for error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        if !(error is any HTTPResponseError) { onError((error as? HTTPUnexpectedError)?.cause ?? error, request) }
        return HTTPResponse(for: error)
    }
}
