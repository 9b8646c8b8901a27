internal import CEventShim
internal import Concurrency
internal import EventLoop
internal import Glibc

/// One connection to a Redis server. Commands may be sent from any thread; replies are matched in the order of the
/// commands, so a connection whose reply is late is closed.
@safe
final class RedisConnection: @unchecked Sendable {
    /// The reason why the connection has ended: one value, once.
    let end: AsyncStream<RedisError>

    private let loop: EventLoop
    private let clock: any Clock<Duration>
    private let uptime: Uptime
    /// Receives the payloads of messages; nil without a subscription.
    private let onMessage: (@Sendable ([UInt8]) -> Void)?
    private let ended: AsyncStream<RedisError>.Continuation
    /// Locked during each submission to the loop, so that none comes after the end.
    private let isClosed = Mutex(false)

    /// Longer ones are dropped, since many may wait for a slow consumer.
    private static let longestMessage = 64 << 10
    /// An older connection is closed if its server turns out to be a replica.
    private static let longestReadOnly = Duration.seconds(30)

    // Loop thread.
    private var shim: OpaquePointer?
    private var opening: RedisExchange?
    private var waiting = RedisQueue()
    private var assembly = RedisReplyAssembly()

    init(on loop: EventLoop, clock: any Clock<Duration>, onMessage: (@Sendable ([UInt8]) -> Void)? = nil) {
        (self.loop, self.clock, self.onMessage) = (loop, clock, onMessage)
        uptime = Uptime(of: clock)
        (end, ended) = AsyncStream.makeStream()
    }

    /// Connects to one address; returns when TLS is established.
    func open(_ address: RedisSocketAddress, _ target: RedisTarget, within limit: Duration) async throws(RedisError) {
        let opening = RedisExchange(replies: 0)
        _ = try await perform(opening, within: limit) { [self] in
            self.opening = opening
            if let problem = start(address, target) { finish(.disconnected(problem)) }
        }
    }

    /// Sends commands together, and returns a reply for each.
    func send(_ commands: [[[UInt8]]], within limit: Duration) async throws(RedisError) -> [RedisValue] {
        guard !commands.isEmpty else { return [] }
        guard let batch = RedisBatch(commands) else { throw .disconnected("no memory for commands") }
        let exchange = RedisExchange(replies: commands.count)
        return try await perform(exchange, within: limit) { [self] in
            waiting.append(exchange)
            guard let shim = unsafe shim else { return waiting.settleAll(.failure(.disconnected("closed"))) }
            if unsafe larder_redis_send(shim, batch.shim) != 0 {
                finish(.disconnected("the commands are too long for the connection"))
            }
        }
    }

    /// Closes the connection if it is open. Returns after the last callback.
    func close() async {
        await withCheckedContinuation { continuation in
            let isHandedOver = handOver { [self] in
                finish(.disconnected("closed"))
                continuation.resume()
            }
            if !isHandedOver { continuation.resume() }
        }
    }

    private func perform(
        _ exchange: RedisExchange, within limit: Duration, _ start: @escaping @Sendable () -> Void
    ) async throws(RedisError) -> [RedisValue] {
        let alarm = Task { [self] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            _ = handOver { [self] in
                guard exchange.outcome == nil else { return }
                exchange.settle(.failure(.timedOut))
                finish(.timedOut)
            }
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHandedOver = handOver { if exchange.begin(continuation) { start() } }
                if !isHandedOver { continuation.resume() }
            }
        } onCancel: {
            // Its replies are still expected, and dropped.
            _ = handOver { exchange.settle(.failure(.disconnected("the caller was cancelled"))) }
        }
        return try (exchange.outcome ?? .failure(.disconnected("closed"))).get()
    }

    /// - Returns: false after the end, when the loop may be gone.
    private func handOver(_ work: @escaping @Sendable () -> Void) -> Bool {
        isClosed.withLock { isClosed in
            if !isClosed { loop.execute(work) }
            return !isClosed
        }
    }

    /// Loop thread. Repeated calls are harmless.
    private func finish(_ error: RedisError) {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        // The last error of a server that refuses the connection is more specific than its end.
        let reason = error == .timedOut ? error.reason : waiting.refusal ?? error.reason
        opening?.settle(.failure(error))
        waiting.settleAll(.failure(.disconnected(reason)))
        ended.yield(error == .timedOut ? error : .disconnected(reason))
        ended.finish()
        guard let shim = unsafe shim else { return }
        unsafe larder_redis_free(shim)
        unsafe self.shim = nil
        unsafe Unmanaged.passUnretained(self).release()
    }
}

extension RedisConnection {
    /// - Returns: the reason why nothing was started; nil if a callback will follow.
    private func start(_ address: RedisSocketAddress, _ target: RedisTarget) -> String? {
        let context = unsafe Unmanaged.passRetained(self)
        var callbacks = unsafe larder_redis_callbacks(
            connected: Self.connected, value: Self.value, closed: Self.closed)
        let made = unsafe address.bytes.withUnsafeBytes { bytes in
            unsafe target.host.withCString { host in
                var options = unsafe larder_redis_options(
                    address: bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), address_size: bytes.count,
                    tls: target.tls?.shim, host: host, max_reply: target.maxReply, max_output: target.maxOutput)
                return unsafe larder_redis_open(loop.handle, &options, &callbacks, context.toOpaque())
            }
        }
        if let made = unsafe made {
            unsafe shim = made
            return nil
        }
        let code = errno
        unsafe context.release()
        return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    private static let connected: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        unsafe of(context)?.opened()
    }

    private static let value: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<larder_redis_value>?) -> Void = {
        context, value in
        guard let value = unsafe value?.pointee, let connection = unsafe of(context) else { return }
        let whole =
            if unsafe value.kind == LARDER_REDIS_ARRAY {
                connection.assembly.begin(count: unsafe Int(value.number))
            } else {
                connection.assembly.add(unsafe RedisValue(value))
            }
        if let whole { connection.receive(whole) }
    }

    private static let closed: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = {
        context, reason in
        unsafe of(context)?.finish(.disconnected(reason.map { unsafe String(cString: $0) } ?? "closed"))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> RedisConnection? {
        unsafe context.map { unsafe Unmanaged<RedisConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func opened() {
        opening?.settle(.success([]))
        opening = nil
    }

    private func receive(_ reply: RedisValue) {
        if let onMessage, let payload = reply.messagePayload {
            return payload.count > Self.longestMessage ? () : onMessage(payload)
        }
        // Decided before the caller goes on, which may take it for the outcome of its next step.
        let isStale = reply.isReadOnly && uptime.now > Self.longestReadOnly
        if waiting.accept(reply) {
            // After a failover the server's name resolves to another one.
            if isStale {
                finish(.disconnected("the server does not write (READONLY); there may be another one by now"))
            }
            return
        }
        // A server with too many clients sends an error before any command.
        if case .error(let text) = reply { return finish(.refused(text)) }
        finish(.disconnected("the server sent a reply without a command"))
    }
}

extension RedisValue {
    fileprivate init(_ value: larder_redis_value) {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.bytes, count: value.size)
        self =
            switch unsafe value.kind {
            case LARDER_REDIS_STATUS: .status(unsafe String(decoding: bytes, as: UTF8.self))
            case LARDER_REDIS_ERROR: .error(RedisError.words(unsafe String(decoding: bytes, as: UTF8.self)))
            case LARDER_REDIS_INTEGER: .integer(unsafe Int(value.number))
            case LARDER_REDIS_BYTES: .bytes(unsafe Array(bytes))
            default: .null
            }
    }
}

/// Commands in wire format. Freed, or emptied by the loop, once no thread uses it.
@safe
private final class RedisBatch: @unchecked Sendable {
    let shim: OpaquePointer

    /// nil if there is no memory.
    init?(_ commands: [[[UInt8]]]) {
        guard let made = unsafe larder_redis_batch_new() else { return nil }
        unsafe shim = made
        for command in commands {
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            guard unsafe add(command[...], &pointers, command.map(\.count)) else { return nil }
        }
    }

    deinit { unsafe larder_redis_batch_free(shim) }

    /// Collects the addresses of the arguments without copying them, and adds the command.
    private func add(
        _ rest: ArraySlice<[UInt8]>, _ pointers: inout [UnsafePointer<CChar>?], _ sizes: [Int]
    ) -> Bool {
        guard let argument = rest.first else {
            return unsafe larder_redis_batch_add(shim, Int32(sizes.count), &pointers, sizes) == 0
        }
        return unsafe argument.withUnsafeBytes { bytes in
            unsafe pointers.append(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            return unsafe add(rest.dropFirst(), &pointers, sizes)
        }
    }
}
