package import Concurrency
internal import HTTPServer
internal import JSON
package import OpenAPI
internal import Products
package import Serving

/// `GET /changes`: the difference of the catalogue in force from an earlier revision, or a stream of all later ones.
package struct ChangesHandler: HTTPHandler, QueryReading, ConditionalResponding, FreshnessResponding, ProblemResponding
{
    package static let path = "/changes"

    package let cacheControl: CacheControl
    package let surrogateKeys: SurrogateKeys?
    package let variance: ResponseVariance
    private let responses: ResponseCache
    private let history: RevisionHistory
    private let feeds: RevisionFeeds

    /// - Parameters:
    ///   - controls: provides the stores of the graph.
    ///   - clock: times the polls of the revision in force.
    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil,
        controls: GraphControls, clock: any Clock<Duration>
    ) {
        self.responses = responses
        self.cacheControl = cacheControl
        self.surrogateKeys = surrogateKeys
        variance = responses.consulted.variance.negotiatingType
        history = RevisionHistory(controls.historiesForClients, responses: responses, clock: clock)
        feeds = RevisionFeeds(
            responses: responses, history: history, following: controls.changes, clock: clock)
    }

    package var wallClock: WallClock { responses.wallClock }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let since = try query(of: request, taking: [Self.since.name]).text(Self.since.name)
        if Self.wantsEvents(request) {
            let known = request.header(Self.lastEventID.name) ?? since
            return .pending {
                let listing: EncodedListing?
                do {
                    listing = try await responses.current(for: request).encoded
                } catch is ProductsFailure {
                    listing = nil
                }
                return await feeds.stream(to: request, from: known, at: listing)
            }
        }
        guard let since else {
            throw ProblemDetails(
                status: .badRequest, detail: "\"since\" names the revision that the client has",
                parameter: Self.since.name)
        }
        let coding = try AcceptedCodings.negotiated(for: request)
        return .pending {
            let (encoded, answer) = try await responses.current(for: request)
            let made = try await history.changes(since: since, in: encoded, as: .document, coding.best)
            let found = coding.orNone ? made : made.gzipped
            let form = try form(
                of: found.representation, lastModified: encoded.lastModified, for: request, else: otherProducts)
            var head = try head(of: found, as: form, from: answer, in: encoded)
            surrogateKeys?.append(to: &head, revision: encoded.catalogue.revision)
            return respond(with: found.representation, as: form, head: head)
        }
    }

    /// Whether the client names the type of streams, and does not prefer JSON.
    private static func wantsEvents(_ request: HTTPRequest) -> Bool {
        guard let header = request.preferences("Accept") else { return false }
        let accepted = AcceptedTypes(header)
        let weight = accepted.weight(of: ["text/event-stream"])
        return weight > 0
            && weight >= accepted.weight(of: ["application/json", "application/*", "*/*"])
    }
}

extension ChangesHandler {
    private static let since = ParameterDescription(
        name: "since", place: .query,
        meaning: "The revision that the client has: the first 32 digits of the `ETag` of `/products`, or `revision` of "
            + "the last answer. Streams begin behind it.",
        schema: Schema.filledText)

    private static let lastEventID = ParameterDescription(
        name: "Last-Event-ID", place: .header, meaning: "The revision after which a stream continues.",
        schema: Schema.text)

    package var description: RouteDescription {
        let accept = ParameterDescription(
            name: "Accept", place: .header, meaning: "`text/event-stream` asks for a stream.", schema: Schema.text)
        return RouteDescription(
            id: "listChanges", summary: "The difference from an earlier revision",
            details: """
                With `Accept: text/event-stream` it is a stream, whose `revision` events name the products that have \
                changed, and whose `gap` events say that differences from the client's revision are not kept.
                """,
            parameters: [Self.since, accept, Self.lastEventID] + responses.consulted.parameters
                + Preconditions.parameters + AcceptedCodings.parameters,
            responses: [
                found, stream, notModified, refused, AcceptedCodings.unacceptable, gone, preconditionFailed,
                unavailable,
            ], waits: true)
    }

    private var found: ResponseDescription {
        let products = Schema.list(of: Schema.named(ProductSchemas.product))
        let changes = Schema.object([
            .always("revision", Schema.filledText, "the revision in force"),
            .always("since", Schema.filledText, "the revision that the client has"),
            .always("added", products, "products that are new"),
            .always("changed", products, "products that have changed"),
            .always("removed", Schema.list(of: Schema.filledText), "the ids of products that are gone"),
        ])
        return ResponseDescription(
            status: 200, meaning: "The difference.", fields: freshFields, possibleFields: [.contentEncoding],
            contents: [.init(mediaType: "application/json", schema: changes)])
    }

    private var stream: ResponseDescription {
        ResponseDescription(
            status: 200, meaning: "A stream, which has neither `ETag` nor age.", fields: [.cacheControl],
            contents: [.init(mediaType: "text/event-stream", schema: Schema.text)])
    }

    private var notModified: ResponseDescription {
        ResponseDescription(status: 304, meaning: "The client has it already.", fields: freshFields)
    }

    private var refused: ResponseDescription {
        .problem(400, "`since` is missing or empty, or another parameter is given.", fields: varyingFields)
    }

    private var gone: ResponseDescription {
        .problem(
            410, "The revision is not kept, or never existed; `Link` leads to the whole catalogue.",
            fields: [.link] + varyingFields)
    }
}
