internal import Concurrency
internal import FoundationEssentials
package import HTTPServer
internal import JSON
internal import Products
package import Serving
internal import Text
internal import Tracing

/// Trait of handlers of the operators' port that respond with JSON, and read the parameters of an order from the query.
protocol OrderHandling: QueryReading {}

extension OrderHandling {
    /// A response that no cache keeps.
    func response(_ json: JSONObject, _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: HTTPBody(bytes: JSONValue.object(json).encoded()))
    }

    /// The report of refreshes; a problem with the report as members if one of them failed.
    func response(_ report: JSONObject, to refreshes: [NodeRefresh]) throws -> HTTPResponse {
        let failures = refreshes.filter { $0.result.outcome == .failed }.map(\.result.failure)
        guard let first = failures.first else { return response(report) }
        let status = failures.contains { $0?.isUpstreamFault ?? true } ? HTTPStatus.badGateway : .serviceUnavailable
        var json: JSONObject = [
            "type": "about:blank", "title": .string(status.reason), "status": .count(status.code),
            "detail": .string(first.map { "\($0)" } ?? "the refresh failed"),
        ]
        json.add(report)
        var problem = response(json, status)
        problem.headers = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
        if let pause = failures.compactMap({ $0?.retryAfter }).max() {
            problem.headers.append("Retry-After", number: max(1, Int((pause / .seconds(1)).rounded(.up))))
        }
        return problem
    }

    /// Returns the order with its sender and reason.
    func order(_ request: HTTPRequest, _ parameters: QueryParameters, at time: Date) throws -> OperatorOrder {
        OperatorOrder(at: time, by: "\(request.cause.id) from \(request.client)", reason: try reason(parameters))
    }

    /// The reason that the operator gives: one line of text.
    func reason(_ parameters: QueryParameters) throws -> String? {
        guard let reason = try parameters.text("reason") else { return nil }
        // Joiners are parts of letters and pictures.
        let isLine = reason.unicodeScalars.allSatisfy { !$0.isSteering || $0 == "\u{200C}" || $0 == "\u{200D}" }
        guard isLine, reason.utf8.count <= 500 else {
            throw ProblemDetails(
                status: .badRequest,
                detail: "a reason is one line of at most 500 bytes, without control and formatting characters",
                parameter: "reason")
        }
        return reason
    }

    /// The generation that the query names by `generation` or by `revision`.
    func target(_ parameters: QueryParameters) throws -> HistoryTarget {
        let (number, revision) = (try parameters.text("generation"), try parameters.text("revision"))
        switch (number, revision) {
        case (let number?, nil):
            guard let number = Int(number), number >= 0 else {
                throw ProblemDetails(
                    status: .badRequest, detail: "a generation is named by its number", parameter: "generation")
            }
            return .generation(number)
        case (nil, let revision?): return .revision(try digits(revision, "revision"))
        case (nil, nil), (.some, .some):
            throw ProblemDetails(
                status: .badRequest, detail: "one generation has to be named, by \"generation\" or by \"revision\"")
        }
    }

    /// The beginning of a revision: hexadecimal digits.
    func digits(_ revision: String, _ parameter: String) throws -> String {
        guard (4...64).contains(revision.utf8.count), revision.utf8.allSatisfy({ Self.isDigit($0) }) else {
            throw ProblemDetails(
                status: .badRequest, detail: "a revision is named by its first hexadecimal digits, four or more",
                parameter: parameter)
        }
        return revision.lowercased()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension ProductsFailure {
    /// Whether the upstream was asked and caused the failure, not a pause, a limit or a store of the service.
    fileprivate var isUpstreamFault: Bool {
        switch self {
        case .unreachable, .timedOut, .upstreamStatus, .tooManyRedirects, .tooLarge, .malformed, .refused: true
        case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded, .cancelled: false
        }
    }
}

/// `POST /refresh` on the operators' port: refreshes memories now, and reports the changes.
///
/// With `Prefer: respond-async` (RFC 7240) it responds at once, and the refresh continues.
package struct RefreshHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls

    package init(controls: GraphControls) {
        self.controls = controls
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        let parameters = try query(of: request, taking: ["node", "force", "reason"])
        _ = try reason(parameters)
        let node = try parameters.text("node")
        let order = RefreshOrder(isForced: try parameters.isOn("force"))
        let cause = request.cause
        let refresh = { @Sendable () async throws -> [NodeRefresh] in
            try await controls.refresh(order, node: node, for: cause)
        }
        guard Self.wantsNoWait(request) else {
            return .pending {
                let results = try await refresh()
                return try response(try await offLoop { RefreshReport(results).json }, to: results)
            }
        }
        try controls.check(node)
        Task.detached { _ = try? await refresh() }
        var accepted = response(["accepted": true], .accepted)
        try accepted.headers.append("Preference-Applied", "respond-async")
        return .ready(accepted)
    }

    private static func wantsNoWait(_ request: HTTPRequest) -> Bool {
        (request.header("Prefer") ?? "").split { ", ;".contains($0) }.contains { $0.lowercased() == "respond-async" }
    }
}

/// `GET /quarantine` and `POST /quarantine/accept` on the operators' port: the catalogues that the gate refused.
package struct QuarantineHandler: HTTPHandler, OrderHandling {
    package enum Action: Sendable {
        case show, accept
    }

    private let controls: GraphControls
    let action: Action

    package init(controls: GraphControls, action: Action) {
        self.controls = controls
        self.action = action
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        switch action {
        case .show:
            let id = try query(of: request, taking: ["id"]).text("id")
            let quarantined = controls.quarantined
            if quarantined.isEmpty { return .ready(response(["quarantined": .array([])])) }
            return .pending { response(try await shown(quarantined, id)) }
        case .accept:
            let parameters = try query(of: request, taking: ["node", "revision", "reason"])
            _ = try reason(parameters)
            let node = try parameters.text("node")
            let revision = try parameters.text("revision").map { try digits($0, "revision") }
            let cause = request.cause
            return .pending {
                let accepted = try await controls.accept(node: node, revision: revision, for: cause)
                var json = try await offLoop { RefreshReport(accepted.results).json }
                json["node"] = .string(accepted.node)
                json["accepted"] = .string(accepted.revision)
                json["shared"] = accepted.isShared.map { .bool($0) }
                return try response(json, to: accepted.results)
            }
        }
    }

    /// - Parameter id: the product that is compared; nil for all.
    private func shown(
        _ quarantined: [(label: String, component: QuarantinedCatalogue)], _ id: String?
    ) async throws -> JSONObject {
        let entries = try await controls.differences.alone {
            quarantined.map { label, refused in
                var json: JSONObject = ["node": .string(label)]
                json.add(refused.json)
                let difference = refused.baseline.map { baseline in
                    DifferenceReport(
                        from: DifferenceReport.Side(baseline),
                        to: DifferenceReport.Side(refused.catalogue), id: id)
                }
                json["difference"] = difference.map { .object($0.json) } ?? .null
                return JSONValue.object(json)
            }
        }
        return ["quarantined": .array(entries)]
    }
}
