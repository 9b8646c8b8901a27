internal import CEventShim
internal import EventLoop

/// Answers one request. To be called on the loop, once.
@safe
struct Exchange: @unchecked Sendable, Equatable {
    private let request: OpaquePointer
    private let sequence: UInt64

    init(_ request: OpaquePointer, sequence: UInt64) {
        unsafe self.request = unsafe request
        self.sequence = sequence
    }

    static func == (left: Exchange, right: Exchange) -> Bool {
        unsafe left.request == right.request && left.sequence == right.sequence
    }

    /// Loop thread: sends the response, or drops it if the client is gone or has been answered, and gives the request
    /// back.
    func finish(_ response: HTTPResponse, on loop: EventLoop) {
        switch response.delivery {
        case .whole: send(response, response.body)
        case .cut(let count): send(response, response.body.slice(0..<min(count, response.body.count)))
        case .streamed: stream(response, on: loop)
        case .dropped: _ = unsafe larder_request_drop(request, sequence, 0)
        case .reset: _ = unsafe larder_request_drop(request, sequence, 1)
        }
        unsafe larder_request_return(request)
    }

    /// Loop thread, while the shim has not delivered the request: sends the response, unless the connection ends with it.
    func finishAtOnce(_ response: HTTPResponse) -> Bool {
        guard response.delivery == .whole, !response.closesConnection else { return false }
        send(response, response.body)
        return true
    }

    /// Loop thread: answers 503 because too many requests are outstanding, and gives the request back.
    func refuse() {
        _ = unsafe larder_request_refuse_excess(request, sequence)
        unsafe larder_request_return(request)
    }

    /// Loop thread: counts a proxy's connection for the client of this pending request. Returns false if the client has
    /// reached its limit, was refused, and the request given back.
    func count(for request: HTTPRequest) -> Bool {
        let layout = request.storage.layout
        guard layout.isProxied, unsafe larder_request_count_for(self.request, sequence, layout.network) == 0 else {
            return true
        }
        unsafe larder_request_return(self.request)
        return false
    }

    private func send(_ response: HTTPResponse, _ body: HTTPBody) {
        let isCut = body.count < response.body.count
        var reply = unsafe larder_reply()
        unsafe reply.status = Int32(response.status.code)
        unsafe reply.close = response.closesConnection || isCut ? 1 : 0
        unsafe reply.reason = UnsafeRawPointer(response.status.phrase.utf8Start).assumingMemoryBound(to: CChar.self)
        unsafe reply.announced_size = isCut ? response.body.count : 0
        unsafe body.lend(to: &reply)
        unsafe response.headers.bytes.withUnsafeBytes { headers in
            unsafe reply.headers = headers.baseAddress
            unsafe reply.headers_size = headers.count
            _ = unsafe larder_request_reply(request, sequence, &reply)
        }
    }

    private func stream(_ response: HTTPResponse, on loop: EventLoop) {
        var head = unsafe larder_reply()
        unsafe head.status = Int32(response.status.code)
        unsafe head.reason = UnsafeRawPointer(response.status.phrase.utf8Start).assumingMemoryBound(to: CChar.self)
        unsafe response.headers.bytes.withUnsafeBytes { headers in
            unsafe head.headers = headers.baseAddress
            unsafe head.headers_size = headers.count
            unsafe response.stream?.open(on: loop) { closed, context in
                unsafe larder_request_stream(request, sequence, &head, closed, context)
            }
        }
    }
}

/// An exchange that a handler began on the fast path but that could not be finished there: its response is pending, or
/// ends the connection. It goes on when the shim delivers the request, so no handler is called twice.
struct PendingExchange {
    let exchange: Exchange
    let request: HTTPRequest
    let response: EventualResponse
}
