internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
package import Products
internal import Tracing

/// `POST /refresh` on the operators' port: has memories ask their upstreams now, and says what changed.
///
/// With `Prefer: respond-async` (RFC 7240) it answers at once, and the refresh goes on.
package struct RefreshHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls

    package init(controls: GraphControls) {
        self.controls = controls
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let parameters = try query(of: request, taking: ["node", "force", "reason"])
        _ = try reason(parameters)
        let node = try parameters.text("node")
        let order = RefreshOrder(isForced: try parameters.isOn("force"))
        let cause = request.cause
        let refresh = { @Sendable () async throws -> [NodeRefresh] in
            try await RequestIdentity.$current.withValue(cause) { try await controls.refresh(order, node: node) }
        }
        guard Self.wantsNoWait(request) else {
            return .pending {
                let results = try await refresh()
                return response(try await offLoop { RefreshReport(results).json })
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
    private let action: Action

    package init(controls: GraphControls, action: Action) {
        self.controls = controls
        self.action = action
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        switch action {
        case .show:
            let id = try query(of: request, taking: ["id"]).text("id")
            return .pending { response(try await shown(id)) }
        case .accept:
            let parameters = try query(of: request, taking: ["node", "revision", "reason"])
            _ = try reason(parameters)
            let node = try parameters.text("node")
            let revision = try parameters.text("revision").map { try digits($0, "revision") }
            let cause = request.cause
            return .pending {
                let accepted = try await RequestIdentity.$current.withValue(cause) {
                    try await controls.accept(node: node, revision: revision)
                }
                var json = try await offLoop { RefreshReport(accepted.results).json }
                json["node"] = .string(accepted.node)
                json["accepted"] = .string(accepted.revision)
                return response(json)
            }
        }
    }

    /// - Parameter id: the product that is compared; nil for all.
    private func shown(_ id: String?) async throws -> JSONObject {
        let quarantined = controls.quarantined
        guard !quarantined.isEmpty else { return ["quarantined": .array([])] }
        let entries = try await controls.differences.alone {
            quarantined.map { label, held in
                var json: JSONObject = ["node": .string(label)]
                json.add(held.json)
                let difference = held.baseline.map { baseline in
                    DifferenceReport(
                        from: DifferenceReport.Side(catalogue: baseline, generation: nil),
                        to: DifferenceReport.Side(catalogue: held.catalogue, generation: nil), id: id)
                }
                json["difference"] = difference.map { .object($0.json) } ?? .null
                return JSONValue.object(json)
            }
        }
        return ["quarantined": .array(entries)]
    }
}
