package import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
internal import Products
package import Serving

/// `POST /pin` on the operators' port: serves one generation of a store from now on, whatever the upstream has.
package struct PinHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls
    private let wallClock: WallClock

    package init(controls: GraphControls, wallClock: WallClock) {
        self.controls = controls
        self.wallClock = wallClock
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let parameters = try query(of: request, taking: ["generation", "revision", "store", "reason"])
        let target = try target(parameters)
        let store = try parameters.text("store")
        let order = try order(request, parameters, at: wallClock.now())
        return .pending {
            let pinned = try await controls.pin(target, store: store, by: order)
            var json: JSONObject = ["store": .string(pinned.store)]
            json.add(pinned.pin.json)
            json["inForce"] = .bool(pinned.isInForce)
            return response(json)
        }
    }
}

/// `POST /unpin` on the operators' port: shows the effect of removing the pin, and with `confirm=1` removes it.
package struct UnpinHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls

    package init(controls: GraphControls) {
        self.controls = controls
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let parameters = try query(of: request, taking: ["store", "confirm", "reason"])
        _ = try reason(parameters)
        let store = try parameters.text("store")
        guard try parameters.isOn("confirm") else { return .pending { response(try await difference(store)) } }
        return .pending {
            let unpinned = try await controls.unpin(store: store)
            return response([
                "confirmed": true, "store": .string(unpinned.store),
                "unpinned": unpinned.pin.map { .object($0.json) } ?? .null,
                "inForce": .bool(unpinned.served.map { !$0.contains(where: \.result.isPinned) } ?? false),
                "served": unpinned.served.map { .array($0.map { .object($0.servedJSON) }) } ?? .null,
            ])
        }
    }

    private static let afterwards =
        "the catalogue of the last refresh is served at once; where there is none that may be served, the pinned one until "
        + "the next"

    private func difference(_ store: String?) async throws -> JSONObject {
        let history = ControlledHistory(try controls.history(store))
        var json: JSONObject = ["confirmed": false, "store": .string(history.store)]
        let pin = try await history.pin()
        json["pin"] = pin.map { .object($0.json) } ?? .null
        json["difference"] = .null
        json["afterwards"] = .string(Self.afterwards)
        if let pin {
            // A damaged pinned generation cannot be compared, but its pin can still be removed.
            let report = try? await controls.differences.alone {
                let pinned = try await history.side(try await history.entry(.generation(pin.generation)))
                let newest = try await history.side(try await history.entry(.newest))
                return DifferenceReport(from: pinned, to: newest).json
            }
            json["difference"] = report.map { .object($0) } ?? .null
        }
        return json
    }
}

/// `GET /history` on the operators' port: the generations of a store, each compared with the one before.
package struct HistoryHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls

    package init(controls: GraphControls) {
        self.controls = controls
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let store = try query(of: request, taking: ["store"]).text("store")
        return .pending {
            let history = ControlledHistory(try controls.history(store))
            let (pin, entries) = (try await history.pin(), try await history.entries())
            let counts = try await controls.differences.counts(of: entries, in: history.history)
            return response([
                "store": .string(history.store), "pin": pin.map { .object($0.json) } ?? .null,
                "generations": .array(zip(entries, counts).map { .object($0.json($1)) }),
            ])
        }
    }
}

/// `GET /diff` on the operators' port: the products by which two generations of a store differ, prices first.
package struct DifferenceHandler: HTTPHandler, OrderHandling {
    private let controls: GraphControls
    private let readiness: ReadinessTracker

    /// - Parameter readiness: provides the served catalogue, which is called `current`.
    package init(controls: GraphControls, readiness: ReadinessTracker) {
        self.controls = controls
        self.readiness = readiness
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let parameters = try query(of: request, taking: ["from", "to", "id", "store"])
        guard let from = try parameters.text("from"), let to = try parameters.text("to") else {
            throw ProblemDetails(status: .badRequest, detail: "\"from\" and \"to\" name the catalogues to compare")
        }
        let (id, store) = (try parameters.text("id"), try parameters.text("store"))
        return .pending {
            let history = ControlledHistory(try controls.history(store))
            return try await controls.differences.alone {
                let before = try await side(from, "from", of: history)
                let after = try await side(to, "to", of: history)
                return response(DifferenceReport(from: before, to: after, id: id).json)
            }
        }
    }

    private func side(
        _ text: String, _ parameter: String, of history: ControlledHistory
    ) async throws -> DifferenceReport.Side {
        guard text == "current" else {
            return try await history.side(try await history.entry(text) { try digits($0, parameter) })
        }
        guard let answer = try? readiness.catalogue.get() else {
            throw ProblemDetails(status: .notFound, detail: "no catalogue is served now", parameter: parameter)
        }
        let catalogue = answer.snapshot.catalogue
        let entry = try? await history.entry(.revision(catalogue.revision))
        return DifferenceReport.Side(catalogue, generation: entry?.generation)
    }
}

extension ControlledHistory {
    /// The generation that a text names: its number, the beginning of its revision, or `newest`.
    func entry(_ text: String, _ digits: (String) throws -> String) async throws -> HistoryEntry {
        if text == "newest" { return try await entry(.newest) }
        if text.utf8.count < 10, let number = Int(text) { return try await entry(.generation(number)) }
        return try await entry(.revision(try digits(text)))
    }
}

/// The history of one store, with problems for operators.
struct ControlledHistory: Sendable {
    let store: String
    let history: any ProductsHistory

    init(_ found: GraphControls.LabelledComponent<any ProductsHistory>) {
        (store, history) = (found.label, found.component)
    }

    func entries() async throws(OrderProblem) -> [HistoryEntry] {
        try await OrderProblem.reading(store) { () async throws(ProductsFailure) in try await history.history() }
    }

    func pin() async throws(OrderProblem) -> CataloguePin? {
        try await OrderProblem.reading(store) { () async throws(ProductsFailure) in try await history.currentPin() }
    }

    /// Finds a generation.
    func entry(_ target: HistoryTarget) async throws(OrderProblem) -> HistoryEntry {
        let entries = try await entries()
        let found =
            switch target {
            case .newest: entries.first
            case .generation(let number): entries.first { $0.generation == number }
            case .revision(let digits): entries.first { $0.revision.hasPrefix(digits) }
            }
        guard let found else { throw .noGeneration(target.name, store: store) }
        return found
    }

    /// Reads the catalogue of a generation, for a comparison.
    func side(_ entry: HistoryEntry) async throws(OrderProblem) -> DifferenceReport.Side {
        let snapshot = try await OrderProblem.reading(store, "\(entry.generation)") {
            () async throws(ProductsFailure) in
            try await history.snapshot(of: .generation(entry.generation))
        }
        return DifferenceReport.Side(snapshot.catalogue, generation: entry.generation)
    }
}
