internal import Concurrency
internal import FoundationEssentials
internal import JSON
internal import Products

extension ProductsFailure {
    /// The failure for operators.
    var json: JSONObject { ["reason": .string(token), "detail": .string("\(self)")] }
}

extension CataloguePin {
    /// The pin for operators: which generation, who pinned it, when and why.
    var json: JSONObject {
        [
            "generation": .count(generation), "revision": .string(revision),
            "at": .string(order.at.formatted(.iso8601)), "by": .string(order.by),
            "reason": order.reason.map { .string($0) } ?? .null,
        ]
    }

    /// `generation 3 since 2026-11-23T04:00:00Z by 7f… from 127.0.0.1: wrong prices`.
    var text: String {
        "generation \(generation) since \(order.at.formatted(.iso8601)) by \(order.by)"
            + (order.reason.map { ": \($0)" } ?? "")
    }
}

extension HistoryEntry {
    /// The generation for operators.
    /// - Parameter counts: its difference from the one before; nil where that is not known.
    func json(_ counts: DifferenceCounts?) -> JSONObject {
        [
            "generation": .count(generation), "revision": .string(revision),
            "fetchedAt": .string(fetchedAt.formatted(.iso8601)), "origin": .string(origin.rawValue),
            "products": .count(count), "bytes": .count(size),
            "added": counts.map { .count($0.added) } ?? .null, "removed": counts.map { .count($0.removed) } ?? .null,
            "changed": counts.map { .count($0.changed) } ?? .null,
        ]
    }
}

extension QuarantinedCatalogue {
    /// The refused catalogue for operators, without its difference.
    var json: JSONObject {
        [
            "revision": .string(catalogue.revision), "products": .count(catalogue.count),
            "since": .string(since.formatted(.iso8601)),
            "heldUntil": heldUntil.map { .string($0.formatted(.iso8601)) } ?? .null, "failure": .object(failure.json),
        ]
    }

    /// `refused since 2026-11-23T04:00:00Z: …`.
    var text: String {
        let end = heldUntil.map { ", held until \($0.formatted(.iso8601))" } ?? ""
        return "refused since \(since.formatted(.iso8601))\(end): \(failure)"
    }
}

/// The results of refreshes with the differences that they made.
struct RefreshReport: Sendable {
    private let results: [JSONObject]

    /// Compares the catalogues before and after; takes some milliseconds for each ten thousand products.
    init(_ refreshes: [NodeRefresh]) {
        results = refreshes.map { refresh in
            let result = refresh.result
            let counts = DifferenceCounts(from: result.before, to: result.after)
            var json: JSONObject = [
                "node": .string(refresh.node), "outcome": .string(result.outcome.rawValue),
                "revision": result.after.map { .string($0.revision) } ?? .null,
                "before": result.before.map { .string($0.revision) } ?? .null,
                "added": .count(counts.added), "removed": .count(counts.removed), "changed": .count(counts.changed),
            ]
            if result.isPinned { json["pinned"] = true }
            if let failure = result.failure { json["failure"] = .object(failure.json) }
            return json
        }
    }

    /// All results; of a single one also its members.
    var json: JSONObject {
        var json: JSONObject = [:]
        if results.count == 1, var only = results.first {
            only["node"] = nil
            json.add(only)
        }
        json["results"] = .array(results.map { .object($0) })
        return json
    }
}

/// The pins and the quarantine of a graph at one moment.
struct ControlState: Sendable {
    /// The state of one store.
    struct Store: Sendable {
        let label: String
        let pin: CataloguePin?
        /// The number of the newest generation; nil where it is not known.
        let newest: Int?
    }

    static let none = ControlState(stores: [], quarantined: [])

    /// The stores that could be read in time.
    let stores: [Store]
    let quarantined: [(node: String, catalogue: QuarantinedCatalogue)]

    var pins: [(store: String, pin: CataloguePin)] {
        stores.compactMap { store in store.pin.map { (store.label, $0) } }
    }

    /// A sentence for each.
    var texts: [String] {
        pins.map { "store \($0.store) pinned: \($0.pin.text)" }
            + quarantined.map { "\($0.node) quarantine: \($0.catalogue.text)" }
    }

    /// The member `operators` of `/graph`; nil where nothing is pinned or in quarantine.
    var json: JSONObject? {
        guard !texts.isEmpty else { return nil }
        func entry(_ name: String, _ label: String, _ members: JSONObject) -> JSONValue {
            var json: JSONObject = [name: .string(label)]
            json.add(members)
            return .object(json)
        }
        return [
            "pins": .array(pins.map { entry("store", $0.store, $0.pin.json) }),
            "quarantine": .array(quarantined.map { entry("node", $0.node, $0.catalogue.json) }),
        ]
    }
}

extension GraphControls {
    /// The longest time for which a page, a probe or a scrape waits for a store.
    private static let glance = Duration.milliseconds(250)

    /// Reads the state of all stores and gates. A store whose disk does not answer is left out.
    func state() async -> ControlState {
        let stores = await withTaskGroup(of: (Int, ControlState.Store?).self) { group in
            for (index, history) in histories.enumerated() {
                group.addTask {
                    let store = await firstOutcome(within: Self.glance) { () -> ControlState.Store? in
                        do {
                            let pin = try await history.component.currentPin()
                            let newest = try await history.component.history().first?.generation
                            return ControlState.Store(label: history.label, pin: pin, newest: newest)
                        } catch {
                            return nil
                        }
                    }
                    return (index, store ?? nil)
                }
            }
            var found: [Int: ControlState.Store] = [:]
            for await (index, store) in group { found[index] = store }
            return histories.indices.compactMap { found[$0] }
        }
        return ControlState(stores: stores, quarantined: quarantined.map { ($0.label, $0.component) })
    }
}
