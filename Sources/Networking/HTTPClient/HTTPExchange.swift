internal import CEventShim
internal import Concurrency
internal import EventLoop

/// One exchange in the shim. Made on any thread, then used on its loop's thread only.
@safe
final class HTTPExchange: @unchecked Sendable {
    let request: HTTPClientRequest
    private let userAgent: String
    private let connectsOnly: Bool
    private var continuation: CheckedContinuation<HTTPClientResponse, any Error>?
    /// The shim's transfer, until its result arrives.
    private var transfer: OpaquePointer?
    private var isCancelled = false

    init(request: HTTPClientRequest, userAgent: String, connectsOnly: Bool) {
        self.request = request
        self.userAgent = userAgent
        self.connectsOnly = connectsOnly
    }

    var shutDownError: HTTPClientError { .shutDown(failure("")) }

    func start(on client: OpaquePointer?, _ continuation: CheckedContinuation<HTTPClientResponse, any Error>) {
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        let context = unsafe Unmanaged.passRetained(self)
        if let client = unsafe client { unsafe transfer = startTransfer(on: client, context.toOpaque()) }
        guard unsafe transfer == nil else { return }
        unsafe context.release()
        finish(.failure(HTTPClientError.other(failure("no memory"))))
    }

    func cancel() {
        isCancelled = true
        if let transfer = unsafe transfer { unsafe larder_client_cancel(transfer) }
    }

    private func startTransfer(on client: OpaquePointer, _ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        let lines = headerLines
        return unsafe request.method.withCString { method in
            unsafe request.url.withCString { url in
                unsafe userAgent.withCString { userAgent in
                    unsafe lines.withUnsafeBufferPointer { lines in
                        unsafe request.body.withUnsafeBufferPointer { body in
                            var transferRequest = unsafe larder_client_request(
                                method: method, url: url, user_agent: userAgent, header_lines: lines.baseAddress,
                                body: body.baseAddress, body_length: body.count,
                                connect_timeout_ms: request.limits.connectTimeout.wholeMilliseconds,
                                total_timeout_ms: request.limits.timeout.wholeMilliseconds,
                                max_body: max(0, request.limits.body),
                                discard_body: request.discardsBody ? 1 : 0, connect_only: connectsOnly ? 1 : 0)
                            return unsafe larder_client_start(client, &transferRequest, Self.done, context)
                        }
                    }
                }
            }
        }
    }

    /// Each line ended by a NUL, and an empty line after the last.
    private var headerLines: [CChar] {
        let offersCoding = request.headers.contains { $0.name.lowercased() == "accept-encoding" }
        let headers = request.headers + (offersCoding ? [] : [HTTPHeader("Accept-Encoding", "gzip")])
        let lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        return lines.flatMap { $0.utf8.map(CChar.init(bitPattern:)) + [0] } + [0]
    }

    private static let done: larder_client_done_fn = { context, result in
        guard let context = unsafe context, let result = unsafe result else { return }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeRetainedValue()
        unsafe exchange.transfer = nil
        exchange.finish(unsafe exchange.outcome(of: result.pointee))
    }

    private func finish(_ outcome: Result<HTTPClientResponse, any Error>) {
        continuation?.resume(with: outcome)
        continuation = nil
    }

    private func outcome(of result: larder_client_result) -> Result<HTTPClientResponse, any Error> {
        guard unsafe result.error == LARDER_CLIENT_OK else {
            return .failure(isCancelled ? CancellationError() : unsafe error(of: result))
        }
        let headers = unsafe UnsafeRawBufferPointer(start: result.headers, count: result.headers_length)
        let body = unsafe UnsafeBufferPointer(start: result.body, count: result.body_length)
        return .success(
            HTTPClientResponse(
                status: unsafe result.status, headers: unsafe HTTPHeaders(lines: headers), body: unsafe Array(body)))
    }

    private func error(of result: larder_client_result) -> HTTPClientError {
        let failure = failure(unsafe result.message.map { unsafe String(cString: $0) } ?? "")
        return switch unsafe result.error {
        case LARDER_CLIENT_RESOLVE: .resolve(failure)
        case LARDER_CLIENT_REFUSED: .refused(failure)
        case LARDER_CLIENT_UNREACHABLE: .unreachable(failure)
        case LARDER_CLIENT_CONNECT_TIMEOUT: .connectTimeout(failure)
        case LARDER_CLIENT_TIMEOUT: .timeout(failure)
        case LARDER_CLIENT_RESET: .reset(failure)
        case LARDER_CLIENT_TRUNCATED: .truncated(failure)
        case LARDER_CLIENT_BODY_TOO_LARGE: .bodyTooLarge(self.failure("more than \(request.limits.body) bytes"))
        case LARDER_CLIENT_TLS: .tls(failure)
        case LARDER_CLIENT_PROTOCOL: .protocolViolation(failure)
        case LARDER_CLIENT_CANCELLED: shutDownError
        default: .other(failure)
        }
    }

    private func failure(_ detail: String) -> HTTPClientFailure {
        HTTPClientFailure(url: request.url, detail: detail)
    }
}

/// The part of an `HTTPClient` on one loop: a libcurl multi handle, made by the first exchange.
///
/// Exchanges are passed to the loop's thread and start there in that order.
@safe
final class LoopHTTPClient: @unchecked Sendable {
    private let loop: EventLoop
    /// Loop thread.
    private var client: OpaquePointer?
    /// Locked during each hand-over, so that no exchange starts after the shutdown.
    private let isShutDown = Mutex(false)

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    var isCurrent: Bool { loop.isCurrent }

    /// Resumes the continuation once, whatever happens.
    func start(_ exchange: HTTPExchange, _ continuation: CheckedContinuation<HTTPClientResponse, any Error>) {
        let isHandedOver = isShutDown.withLock { isShutDown in
            guard !isShutDown else { return false }
            loop.execute { [self] in unsafe exchange.start(on: shimClient(), continuation) }
            return true
        }
        guard !isHandedOver else { return }
        continuation.resume(throwing: exchange.shutDownError)
    }

    /// May come before the start or after the end of the exchange.
    func cancel(_ exchange: HTTPExchange) {
        loop.execute { exchange.cancel() }
    }

    func shutdown() async {
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        guard isFirst else { return }
        await loop.run { [self] in
            guard let client = unsafe client else { return }
            unsafe larder_client_free(client)
            unsafe self.client = nil
        }
    }

    private func shimClient() -> OpaquePointer? {
        if unsafe client == nil { unsafe client = larder_client_new(loop.handle) }
        return unsafe client
    }
}

extension Duration {
    /// Rounded up, and at least one: libcurl takes 0 for "no limit".
    var wholeMilliseconds: Int {
        guard self > .zero else { return 1 }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let thousandth = (attoseconds + perMillisecond - 1) / perMillisecond
        // libcurl keeps timeouts in 32 bits on some platforms; 24 days are as good as no limit.
        return Int(min(seconds, 2_000_000) * 1000 + thousandth)
    }
}
