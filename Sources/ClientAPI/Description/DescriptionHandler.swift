package import Concurrency
package import HTTPServer
internal import JSON
package import OpenAPI
internal import Serving

/// `GET /openapi.json`: the OpenAPI description of a port.
struct DescriptionHandler: HTTPHandler, QueryReading, ConditionalResponding {
    private let plain: Representation
    private let compressed: Representation
    /// The time at which the described config came into force.
    private let lastModified: LastModified
    let wallClock: WallClock

    init(_ document: OpenAPIDocument, wallClock: WallClock) {
        plain = Representation(body: HTTPBody(bytes: JSONValue.object(document.json).encoded()))
        compressed = plain.compressed
        lastModified = LastModified(wallClock.now())
        self.wallClock = wallClock
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        _ = try query(of: request, taking: [])
        let document = try AcceptedCodings.negotiated(for: request).best == .gzip ? compressed : plain
        let form = try form(of: document, lastModified: lastModified, for: request, else: Self.otherDocument)
        return .ready(respond(with: document, as: form, head: try head(of: document, as: form)))
    }

    private static var otherDocument: ProblemDetails {
        ProblemDetails(
            status: .preconditionFailed, detail: "the description does not match the condition of the request")
    }

    /// Caches have to revalidate each time, because a reload may change the document.
    private func head(of document: Representation, as form: ResponseForm) throws -> HTTPHeaderBlock {
        var head = document.tagHead
        head.append(["Cache-Control": "no-cache", "Vary": "Accept-Encoding"])
        try head.append("Last-Modified", lastModified.text(at: wallClock.now()))
        switch form {
        case .whole(.identity): head.append(["Content-Type": "application/json"])
        case .whole(.gzip): head.append(["Content-Type": "application/json", "Content-Encoding": "gzip"])
        case .notModified: break
        }
        return head
    }
}

extension DescriptionHandler {
    static let description = RouteDescription(
        id: "openapi", summary: "This document", parameters: Preconditions.parameters + AcceptedCodings.parameters,
        responses: [
            ResponseDescription(
                status: 200, meaning: "The document.", fields: fields, possibleFields: [.contentEncoding],
                contents: [.init(mediaType: "application/json", schema: ["type": "object"])]),
            ResponseDescription(status: 304, meaning: "The client has it already.", fields: fields),
            .problem(400, "There is a query."),
            AcceptedCodings.unacceptable,
            .problem(412, "`If-Match` or `If-Unmodified-Since` does not hold."),
        ])

    private static let fields: [ResponseHeader] = [.entityTag, .lastModified, .cacheControl, .vary]
}

extension Router {
    /// Creates a router of these routes and of `/openapi.json`, which describes them all and itself.
    ///
    /// - Parameter observe: see `init(_:observing:)`.
    package convenience init(
        describing routes: [DescribedRoute], _ port: PortDescription, wallClock: WallClock,
        observing observe: ((RoutePattern?) -> any RouteObserver)? = nil
    ) {
        let pattern: RoutePattern = "/openapi.json"
        let places = routes.map { ($0.route.pattern, $0.description) } + [(pattern, DescriptionHandler.description)]
        let own = Route(.get, pattern, DescriptionHandler(OpenAPIDocument(port, places), wallClock: wallClock))
        self.init(routes.map(\.route) + [own], observing: observe)
    }
}
