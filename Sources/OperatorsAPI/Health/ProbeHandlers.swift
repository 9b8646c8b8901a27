package import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Health
internal import JSON
package import OpenAPI
internal import Products
package import Serving

/// `GET /livez`: 200 while the event loop runs. Nothing else is checked, because a restart helps with nothing else.
package struct LivenessHandler: HTTPHandler, HealthResponding {
    private static let loop = HealthCheck(name: "loop", aspects: [.init(name: "loop", status: .pass)])
    let wallClock: WallClock
    /// The report has no details to omit.
    var isForClients: Bool { false }

    package init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        .ready(try respond(to: request, as: "livez") { _ in [Self.loop] })
    }

    package static let description = RouteDescription.probe(
        "livez", "Whether the process works", excluding: "loop", passing: "It does.")
}

/// `GET /readyz` and `/healthz`: 200 if and only if a catalogue can be served, upstream up or down.
///
/// The first failing probe is logged, and the first passing one after it.
///
/// `?verbose` lists the checks in the text form of the Kubernetes API server, `&exclude=NAME` leaves one out. That form
/// and JSON list all known troubles, pins and refused catalogues, for which stores are read.
package struct ReadinessHandler: HTTPHandler, HealthResponding {
    let controls: GraphControls
    let components: GraphComponents
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// The probe's name, for the last line of the verbose form.
    let name: String
    let isForClients: Bool

    package init(
        controls: GraphControls, components: GraphComponents, readiness: ReadinessTracker, wallClock: WallClock,
        name: String, isForClients: Bool = false
    ) {
        self.controls = controls
        self.components = components
        self.readiness = readiness
        self.wallClock = wallClock
        self.name = name
        self.isForClients = isForClients
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let (catalogue, isDraining) = (readiness.catalogue, readiness.isDraining)
        readiness.recordProbe(ReadinessTracker.Verdict(catalogue, isDraining: isDraining))
        let respond = { @Sendable (state: ControlState) in
            let failing = readiness.failing
            let troubles = components.troubles(failing: failing)
            let stores = components.sharedStores
            var covered: Set<Trouble.Kind> = stores.isEmpty ? [] : [.sharedStore]
            if !state.quarantined.isEmpty { covered.insert(.quarantine) }
            return try self.respond(to: request, as: name) { time in
                [
                    .catalogue(catalogue, failing: failing, troubles: troubles, at: time),
                    .drain(isDraining: isDraining),
                ] + HealthCheck.operators(state) + HealthCheck.sharedStores(stores, at: time)
                    + HealthCheck.troubles(troubles, but: covered, at: time)
            }
        }
        // The text only states whether there is a catalogue.
        guard request.rawQuery != nil || HealthForm.best(request.preferences("Accept")) == .json else {
            return .ready(try respond(.none))
        }
        return .pending { try respond(await controls.state()) }
    }

    package var description: RouteDescription {
        .probe(
            name, "Whether there is a catalogue to serve, upstream up or down", excluding: "drain",
            passing: "There is.", failing: "There is none, or the service is stopping.")
    }
}

/// Trait of handlers that respond to probes.
protocol HealthResponding {
    /// The clock that dates reports.
    var wallClock: WallClock { get }
    /// Whether the port is for clients. Its reports contain no parts, addresses, errors and orders.
    var isForClients: Bool { get }
}

extension HealthResponding {
    /// 200 if no check fails, otherwise 503, in the requested form; not cacheable.
    ///
    /// - Parameters:
    ///   - name: the probe's name.
    ///   - check: makes the checks at a time.
    /// - Throws: `HTTPRequestError` when the query cannot be decoded.
    func respond(
        to request: HTTPRequest, as name: String, _ check: (Date) -> [HealthCheck]
    ) throws(HTTPRequestError) -> HTTPResponse {
        // Other parameters are ignored, as by the Kubernetes API server.
        let items = try request.rawQuery == nil ? [] : request.queryItems
        let time = wallClock.now()
        let report = HealthReport(
            name, at: time, check(time), excluding: items.filter { $0.name == "exclude" }.compactMap(\.value),
            isForClients: isForClients)
        let form = HealthForm.best(request.preferences("Accept"))
        let body =
            switch form {
            case .text:
                HTTPBody(text: items.contains { $0.name == "verbose" } ? report.verboseText : report.text)
            case .json: HTTPBody(bytes: JSONValue.object(report.json).encoded())
            }
        return HTTPResponse(
            status: report.status == .fail ? .serviceUnavailable : .ok, headers: form.headers, body: body)
    }
}

/// The media type of a probe's response.
enum HealthForm: Sendable {
    case text
    case json

    /// The form that a client prefers, by its `Accept` (RFC 9110, 12.5.1); nil without one. JSON is chosen only if it,
    /// or its kind, is named and preferred at least as much as text. A client that accepts neither gets text.
    static func best(_ header: String?) -> HealthForm {
        let accepted = AcceptedTypes(header)
        let json = accepted.weight(of: ["application/health+json", "application/*"])
        let text = accepted.weight(of: ["text/plain", "text/*", "*/*"])
        return json > 0 && json >= text ? .json : .text
    }

    var headers: HTTPHeaderBlock {
        switch self {
        case .text:
            [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept",
                "X-Content-Type-Options": "nosniff",
            ]
        case .json: ["Content-Type": "application/health+json", "Cache-Control": "no-store", "Vary": "Accept"]
        }
    }
}

extension RouteDescription {
    /// Describes a probe.
    ///
    /// - Parameters:
    ///   - check: the name of one of its checks, as an example.
    ///   - failing: the meaning of 503; nil for a probe that does not fail.
    fileprivate static func probe(
        _ id: String, _ summary: String, excluding check: String, passing: String, failing: String? = nil
    ) -> RouteDescription {
        func response(_ status: Int, _ meaning: String) -> ResponseDescription {
            ResponseDescription(
                status: status, meaning: meaning, fields: [.cacheControl, .vary],
                possibleFields: [.contentTypeOptions],
                contents: [
                    .init(mediaType: "text/plain", schema: Schema.text),
                    .init(mediaType: "application/health+json", schema: Schema.named(HealthSchema.name)),
                ])
        }
        return RouteDescription(
            id: id, summary: summary,
            parameters: [
                ParameterDescription(
                    name: "verbose", place: .query, meaning: "Lists the checks, whatever its value.",
                    schema: Schema.text, example: "", isEmptyAllowed: true),
                ParameterDescription(
                    name: "exclude", place: .query, meaning: "Leaves out the checks of these names.",
                    schema: Schema.list(of: Schema.text), example: .array([.string(check)]), isRepeated: true),
            ],
            responses: [response(200, passing)] + (failing.map { [response(503, $0)] } ?? [])
                + [.problem(400, "The query is not properly percent-encoded.")])
    }
}
