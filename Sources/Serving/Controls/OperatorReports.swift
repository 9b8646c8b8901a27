internal import FoundationEssentials
package import JSON
package import Products

extension ProductsFailure {
    /// The failure for operators.
    package var json: JSONObject { ["reason": .string(token), "detail": .string("\(self)")] }
}

extension CataloguePin {
    /// The pin for operators: which generation, who pinned it, when and why.
    package var json: JSONObject {
        [
            "generation": .count(generation), "revision": .string(revision),
            "at": .string(order.at.formatted(.iso8601)), "by": .string(order.by),
            "reason": order.reason.map { .string($0) } ?? .null, "written": .bool(isWritten),
        ]
    }

    /// `generation 3 since 2026-11-23T04:00:00Z by 7f… from 127.0.0.1: wrong prices`.
    package var text: String {
        "generation \(generation) since \(order.at.formatted(.iso8601)) by \(order.by)"
            + (order.reason.map { ": \($0)" } ?? "") + (isWritten ? "" : " (not written, a restart would forget it)")
    }
}

extension HistoryEntry {
    /// The generation for operators.
    /// - Parameter counts: its difference from the one before; nil if unknown.
    package func json(_ counts: DifferenceCounts?) -> JSONObject {
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
    package var json: JSONObject {
        [
            "revision": .string(catalogue.revision), "products": .count(catalogue.count),
            "since": .string(since.formatted(.iso8601)),
            "heldUntil": withheldUntil.map { .string($0.formatted(.iso8601)) } ?? .null,
            "failure": .object(failure.json),
        ]
    }

    /// `refused since 2026-11-23T04:00:00Z: …`.
    package var text: String {
        let end = withheldUntil.map { ", held until \($0.formatted(.iso8601))" } ?? ""
        return "refused since \(since.formatted(.iso8601))\(end): \(failure)"
    }
}

/// The outcome of a refresh of one memory, for one variant of the requests.
package struct NodeRefresh: Sendable {
    /// The memory's label in metrics.
    package let node: String
    package let result: RefreshResult

    package init(node: String, result: RefreshResult) {
        (self.node, self.result) = (node, result)
    }
}

extension NodeRefresh {
    /// The catalogue that the memory serves now, and why it is not another one.
    package var servedJSON: JSONObject {
        [
            "node": .string(node), "revision": result.after.map { .string($0.revision) } ?? .null,
            "pinned": .bool(result.isPinned), "failure": result.failure.map { .object($0.json) } ?? .null,
        ]
    }
}

/// The results of refreshes, with their differences.
package struct RefreshReport: Sendable {
    private let results: [JSONObject]

    /// Compares the catalogues before and after; takes some milliseconds for each ten thousand products.
    package init(_ refreshes: [NodeRefresh]) {
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

    /// All results; for a single one also its members.
    package var json: JSONObject {
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
package struct ControlState: Sendable {
    /// The state of one store.
    package struct Store: Sendable {
        package let label: String
        package let pin: CataloguePin?
        /// The number of the newest generation; nil if unknown.
        package let newest: Int?
        /// Whether a memory serves the pin. A reload may have removed the memory since.
        package let isObeyed: Bool

        package init(label: String, pin: CataloguePin?, newest: Int?, isObeyed: Bool) {
            (self.label, self.pin, self.newest, self.isObeyed) = (label, pin, newest, isObeyed)
        }
    }

    package static let none = ControlState(stores: [], quarantined: [])

    /// The stores that could be read in time.
    package let stores: [Store]
    package let quarantined: [(node: String, catalogue: QuarantinedCatalogue)]

    package init(stores: [Store], quarantined: [(node: String, catalogue: QuarantinedCatalogue)]) {
        (self.stores, self.quarantined) = (stores, quarantined)
    }

    package var pins: [(store: String, pin: CataloguePin, text: String)] {
        stores.compactMap { store in
            store.pin.map { (store.label, $0, $0.text + (store.isObeyed ? "" : "; no memory here serves it")) }
        }
    }

    /// One sentence for each.
    package var texts: [String] {
        pins.map { "store \($0.store) pinned: \($0.text)" }
            + quarantined.map { "\($0.node) quarantine: \($0.catalogue.text)" }
    }

    /// The member `operators` of `/graph`; nil if nothing is pinned or in quarantine.
    package var json: JSONObject? {
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
