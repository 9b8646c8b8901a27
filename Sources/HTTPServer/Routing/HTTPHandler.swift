internal import CEventShim
internal import Concurrency

/// Something that answers requests: a route's code, a router, or a decorator of either.
///
/// The call runs on the event loop of the request's connection, and so does the pending part of its answer, which comes
/// back to it after each suspension; both run off the loops for a long target. Work of over a millisecond belongs
/// elsewhere. Calls for many requests overlap.
package protocol HTTPHandler: Sendable {
    /// The answer. A thrown `HTTPResponseError` is answered with its response; any other error with a 500, and it is
    /// reported to the server's error hook. An answer that comes after the server's deadline is dropped.
    ///
    /// Called once a request; the answer is carried out unless the client disconnects first.
    func answer(to request: HTTPRequest) throws -> HTTPAnswer
}

/// The handler of a whole port: its router, or middleware around it.
package protocol HTTPPortHandler: HTTPHandler {
    /// Header fields that the server adds to the responses it gives in the handler's place, refusals and time-outs.
    /// Called on a loop, so it must be quick.
    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock

    /// The longest body that a POST for this target may have, in bytes; 0 for none. Asked before any of the body is kept:
    /// the request has neither fields nor peer yet. Called on a loop, so it must be quick.
    func bodyLimit(of head: HTTPRequest) -> Int
}

/// The known parts of a request that the server answers itself. None of them has been validated.
package struct HTTPRefusedRequest: Sendable {
    package let serial: RequestSerial
    /// The request's `Origin`; nil where it has none, or it was not received.
    package let origin: String?
    /// The request's `X-Request-Id`; nil where it has none, or it was not received.
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

/// The answer of a handler: an immediate response, or one that has to be waited for.
///
/// Most responses of a cache are immediate, and a task would cost more than the response itself, so there is one only
/// where something is waited for.
package enum HTTPAnswer: Sendable {
    /// An immediate response.
    case ready(HTTPResponse)
    /// Work left to be done, once, on the loop of the request; it throws like a handler.
    case pending(@Sendable () async throws -> HTTPResponse)

    package var response: HTTPResponse {
        get async throws {
            switch self {
            case .ready(let response): response
            case .pending(let rest): try await rest()
            }
        }
    }

    /// Reports the end of a pending answer to the observer.
    func noted(by observed: ObservedRequest) -> HTTPAnswer {
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

/// Observes every request of one route, for metrics. A class, because each request is handed one, and a value would be
/// copied.
package protocol RouteObserver: AnyObject, Sendable {
    /// Called on the request's loop, once a request, before its answer is sent; so it must be quick. What the server
    /// refuses by itself, as in ``HTTPRefusal``, no router has dealt with.
    ///
    /// - Parameters:
    ///   - status: the status of the response, or of the problem that an error of the handler becomes. After `requestDeadline`
    ///     the client has had a 504, and this response is dropped.
    ///   - nanoseconds: from the router's start to the handler's end.
    func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64)
}

/// Reports a request's outcome to a `RouteObserver`.
struct ObservedRequest: Sendable {
    var observer: any RouteObserver
    private let method: HTTPMethod
    private let start: Int64

    /// - Parameter start: when the router got it.
    init(_ request: HTTPRequest, at start: Int64, by observer: any RouteObserver) {
        self.observer = observer
        method = request.method
        self.start = start
    }

    func end(_ status: HTTPStatus) {
        observer.answered(method, status, after: MonotonicTime.nanoseconds - start)
    }

    /// Reports the status of the response to an error.
    ///
    /// - Returns: that response, so that it is made once.
    /// - Throws: the error, where the server has to report it.
    func end(with error: any Error) throws -> HTTPResponse {
        let response = HTTPResponse(for: error)
        end(response.status)
        guard error is any HTTPResponseError else { throw error }
        return response
    }
}
