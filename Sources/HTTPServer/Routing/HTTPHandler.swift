internal import CEventShim
internal import Concurrency

/// Responds to requests: a route's code, a router, or a decorator of either.
///
/// The call runs on the event loop of the request's connection. So does a pending response, which returns to the loop
/// after each suspension. For a long target both run off the loops. Work of over a millisecond belongs elsewhere. Calls
/// for many requests overlap.
package protocol HTTPHandler: Sendable {
    /// Returns the response, at once or pending. A thrown `HTTPResponseError` is sent as its response; any other error
    /// as a 500, and the server's error hook receives it. A response after the server's deadline is dropped.
    ///
    /// Called once a request; a pending response runs unless the client disconnects first.
    func respond(to request: HTTPRequest) throws -> EventualResponse
}

/// The handler of a whole port: a router, or middleware around it. A class, since each request passes several, and a
/// value would be copied.
package protocol HTTPPortHandler: AnyObject, HTTPHandler {
    /// Header fields that the server adds to its own responses, refusals and timeouts. Called on a loop, so it must be
    /// quick.
    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock

    /// The longest body of a POST for this target, in bytes; 0 for none. Called before the body is received, when the
    /// request has neither fields nor peer, on a loop, so it must be quick.
    func bodyLimit(of head: HTTPRequest) -> Int
}

/// The known parts of a request that the server answers itself. None of them has been validated.
package struct HTTPRefusedRequest: Sendable {
    package let serial: RequestSerial
    /// The request's `Origin`; nil if it has none, or none was received.
    package let origin: String?
    /// The request's `X-Request-Id`; nil if it has none, or none was received.
    package let givenID: String?

    init(_ refused: larder_refused, server: UInt64) {
        func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String? {
            guard let start = unsafe start else { return nil }
            return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
        }
        serial = RequestSerial(server: server, number: unsafe refused.sequence)
        origin = unsafe text(refused.origin, refused.origin_size)
        givenID = unsafe text(refused.id, refused.id_size)
    }
}

/// The result of a handler: an immediate response, or one that takes time.
///
/// Most responses of a cache are immediate, and a task would cost more than the response itself, so a task is made for
/// pending responses only.
package enum EventualResponse: Sendable {
    /// An immediate response.
    case ready(HTTPResponse)
    /// The rest of the work, to run once, on the loop of the request; it throws like a handler.
    case pending(@Sendable () async throws -> HTTPResponse)

    /// The status of an immediate response; nil for a pending one.
    package var status: HTTPStatus? {
        if case .ready(let response) = self { response.status } else { nil }
    }

    package var response: HTTPResponse {
        get async throws {
            switch self {
            case .ready(let response): response
            case .pending(let rest): try await rest()
            }
        }
    }

    /// Reports the end of a pending response to the observer.
    func reporting(to observed: ObservedRequest) -> EventualResponse {
        guard case .pending(let rest) = self else { return self }
        return .pending {
            do {
                let response = try await rest()
                observed.end(response.status)
                return response
            } catch {
                return try observed.end(with: error)
            }
        }
    }
}

/// Observes every request of one route, for metrics. A class, since each request gets one, and a value would be copied.
package protocol RouteObserver: AnyObject, Sendable {
    /// Called on the request's loop, once a request, before its response is sent; so it must be quick. Not called for
    /// what the server refuses, as in ``HTTPRefusal``.
    ///
    /// - Parameters:
    ///   - status: the status of the response, or of the problem made of the handler's error. After `requestDeadline`
    ///     the client has received a 504, and this response is dropped.
    ///   - nanoseconds: from the router's start to the handler's end.
    func record(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64)
}

/// Reports a request's outcome to a `RouteObserver`.
struct ObservedRequest: Sendable {
    var observer: any RouteObserver
    private let method: HTTPMethod
    private let start: Int64

    /// - Parameter start: the time at which the router got it.
    init(_ request: HTTPRequest, at start: Int64, by observer: any RouteObserver) {
        self.observer = observer
        method = request.method
        self.start = start
    }

    func end(_ status: HTTPStatus) {
        observer.record(method, status, after: MonotonicTime.nanoseconds - start)
    }

    /// Reports the status of the response to an error.
    ///
    /// - Returns: that response.
    /// - Throws: the error itself if the server has to report it.
    func end(with error: any Error) throws -> HTTPResponse {
        let response = HTTPResponse(for: error)
        end(response.status)
        guard error is any HTTPResponseError else { throw error }
        return response
    }
}
