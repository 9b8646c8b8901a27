internal import CEventShim
internal import Glibc
internal import Text

/// One exchange in the shim. Made on any thread, then used on its loop's thread only.
@safe
final class HTTPExchange: @unchecked Sendable {
    let request: HTTPClientRequest
    private let userAgent: String
    private let connectsOnly: Bool
    private let options: HTTPConnectionOptions
    private let content: TLSContent
    private let route: HTTPRoute
    private var continuation: CheckedContinuation<HTTPClientResponse, any Error>?
    /// The shim's transfer, until its result arrives.
    private var transfer: OpaquePointer?
    private var isCancelled = false
    /// The body as far as it has come.
    private var received: [UInt8] = []

    init(
        request: HTTPClientRequest, userAgent: String, connectsOnly: Bool, options: HTTPConnectionOptions,
        content: TLSContent
    ) {
        self.request = request
        self.userAgent = userAgent
        self.connectsOnly = connectsOnly
        (self.options, self.content) = (options, content)
        route = options.route(to: request.url)
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
        return unsafe withShimOptions { options in
            unsafe request.method.withCString { method in
                unsafe route.url.withCString { url in
                    unsafe userAgent.withCString { userAgent in
                        unsafe lines.withUnsafeBufferPointer { lines in
                            unsafe request.body.withUnsafeBufferPointer { body in
                                var transferRequest = unsafe larder_client_request(
                                    method: method, url: url, user_agent: userAgent, header_lines: lines.baseAddress,
                                    body: body.baseAddress, body_length: body.count,
                                    connect_timeout_ms: request.limits.connectTimeout.wholeMilliseconds,
                                    total_timeout_ms: request.limits.timeout.wholeMilliseconds,
                                    max_body: max(0, request.limits.body), discard_body: request.discardsBody ? 1 : 0,
                                    take_body: Self.take, connect_only: connectsOnly ? 1 : 0, options: options)
                                return unsafe larder_client_start(client, &transferRequest, Self.done, context)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Calls the body with the shim's options, whose pointers are valid during the call.
    private func withShimOptions<Value>(_ body: (larder_client_options) -> Value) -> Value {
        guard options.isSet else { return unsafe body(larder_client_options()) }
        let proxy = route.proxy
        let texts = unsafe [
            route.connectTo, route.unixSocket, proxy?.url, proxy?.username?.reveal(), proxy?.password?.reveal(),
        ].map { text in unsafe text.flatMap { unsafe strdup($0) } }
        defer { unsafe texts.forEach { unsafe free($0) } }
        return unsafe content.roots.withUnsafeBytes { roots in
            unsafe content.chain.withUnsafeBytes { chain in
                unsafe content.key.withUnsafeBytes { key in
                    unsafe body(
                        larder_client_options(
                            connect_to: texts[0], unix_socket: texts[1], proxy: texts[2], proxy_user: texts[3],
                            proxy_password: texts[4],
                            roots: larder_client_pem(bytes: roots.baseAddress, size: roots.count),
                            chain: larder_client_pem(bytes: chain.baseAddress, size: chain.count),
                            key: larder_client_pem(bytes: key.baseAddress, size: key.count),
                            skips_verification: options.isVerifying ? 0 : 1, ip_version: options.addresses.version))
                }
            }
        }
    }

    /// Each line ended by a NUL, and an empty line after the last.
    private var headerLines: [CChar] {
        let given = Set(request.headers.map { $0.name.lowercased() })
        var headers = request.headers
        if !given.contains("accept-encoding") { headers.append(HTTPHeader("Accept-Encoding", "gzip")) }
        if let host = route.hostHeader, !given.contains("host") { headers.append(HTTPHeader("Host", host)) }
        let lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        return lines.flatMap { $0.utf8.map(CChar.init(bitPattern:)) + [0] } + [0]
    }

    private static let done: larder_client_done_fn = { context, result in
        guard let context = unsafe context, let result = unsafe result else { return }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeRetainedValue()
        unsafe exchange.transfer = nil
        exchange.finish(unsafe exchange.outcome(of: result.pointee))
    }

    private static let take: larder_client_body_fn = { context, bytes, count, announced in
        guard let context = unsafe context else { return }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
        if exchange.received.isEmpty { exchange.received.reserveLargePages(announced) }
        unsafe exchange.received.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }

    private func finish(_ outcome: Result<HTTPClientResponse, any Error>) {
        continuation?.resume(with: outcome)
        continuation = nil
    }

    private func outcome(of result: larder_client_result) -> Result<HTTPClientResponse, any Error> {
        guard unsafe result.error == LARDER_CLIENT_OK else {
            return .failure(isCancelled ? CancellationError() : unsafe error(of: result))
        }
        let lines = unsafe UnsafeRawBufferPointer(start: result.headers, count: result.headers_length)
        let (status, headers) = unsafe (result.status, HTTPHeaders(lines: lines))
        if let proxy = route.proxy, proxy.hasRefused(status, headers) {
            let reason = headers["X-Squid-Error"].map { ": \($0)" } ?? ""
            return .failure(HTTPClientError.proxy(failure("\(proxy.place) answered \(status)\(reason)")))
        }
        return .success(HTTPClientResponse(status: status, headers: headers, body: received))
    }

    private func error(of result: larder_client_result) -> HTTPClientError {
        let message = unsafe result.message.map { unsafe String(cString: $0) } ?? ""
        let failure = failure(route.place + message)
        return switch unsafe result.error {
        case LARDER_CLIENT_RESOLVE: .resolve(failure)
        case LARDER_CLIENT_REFUSED: .refused(failure)
        case LARDER_CLIENT_UNREACHABLE: .unreachable(failure)
        case LARDER_CLIENT_CONNECT_TIMEOUT: .connectTimeout(failure)
        case LARDER_CLIENT_TIMEOUT: .timeout(failure)
        case LARDER_CLIENT_RESET: .reset(failure)
        case LARDER_CLIENT_TRUNCATED: .truncated(failure)
        case LARDER_CLIENT_BODY_TOO_LARGE: .bodyTooLarge(self.failure("more than \(request.limits.body) bytes"))
        case LARDER_CLIENT_TLS: .tls(unsafe result.certificate.map { unsafe self.failure($0.pointee) } ?? failure)
        case LARDER_CLIENT_PROXY: .proxy(self.failure(proxyDetail(unsafe result.proxy_status, message)))
        case LARDER_CLIENT_PROTOCOL: .protocolViolation(failure)
        case LARDER_CLIENT_CANCELLED: shutDownError
        default: .other(failure)
        }
    }

    private func proxyDetail(_ status: Int, _ message: String) -> String {
        let place = route.proxy?.place ?? ""
        return status == 0 ? "\(place): \(message)" : "\(place) answered \(status) to CONNECT"
    }

    private func failure(_ certificate: larder_client_certificate) -> HTTPClientFailure {
        let target = WebOrigin(request.url)
        let host = target?.host ?? ""
        let place = "\(host):\(target?.port ?? 443)"
        let name = route.connectTo == nil ? host : options.serverName ?? host
        return failure(
            unsafe RefusedCertificate(certificate).sentence(place: place, name: name, roots: options.files?.roots))
    }

    private func failure(_ detail: String) -> HTTPClientFailure {
        HTTPClientFailure(url: request.url, detail: detail)
    }
}

extension HTTPConnectionOptions.AddressFamily {
    fileprivate var version: Int32 {
        switch self {
        case .any: 0
        case .ipv4: 4
        case .ipv6: 6
        }
    }
}

extension HTTPProxy {
    /// Whether the proxy, not the upstream, made a response. Over plain HTTP a proxy marks its own responses only by
    /// 407, `Proxy-Status` (RFC 9209) or Squid's `X-Squid-Error`.
    fileprivate func hasRefused(_ status: Int, _ headers: HTTPHeaders) -> Bool {
        status == 407 || headers["X-Squid-Error"] != nil || headers["Proxy-Status"]?.contains("error=") == true
    }
}
