internal import FoundationEssentials
internal import JSON
internal import Persistence
internal import Products

extension StoreReport {
    /// The same for scripts.
    var json: JSONValue {
        .object([
            "store": .string(name), "directory": .string(path),
            "generations": .array(contents.generations.map { .object(json(of: $0)) }),
            "moved_aside": .array(contents.movedAside.map { .string($0) }),
        ])
    }

    private func json(of generation: StoredGeneration) -> JSONObject {
        var json: JSONObject = [
            "generation": .number(JSONNumber(generation.number)), "path": .string(generation.path),
            "bytes": .number(JSONNumber(generation.size)), "state": .string(Self.word(for: generation.condition)),
        ]
        json["fault"] = generation.fault.map { .string($0) }
        guard let statement = generation.statement else { return json }
        json["fetched_at"] = .string(statement.fetchedAt.formatted(.iso8601))
        json["age_seconds"] = .number(JSONNumber(age(of: statement)))
        json["products"] = .number(JSONNumber(statement.products))
        json["source"] = .string(statement.source.rawValue)
        json["sha256"] = .string(statement.sha256)
        return json
    }

    private static func word(for condition: StoredGeneration.Condition) -> String {
        switch condition {
        case .good: "ok"
        case .damaged: "damaged"
        case .newerFormat: "newer_format"
        case .unreadable: "unreadable"
        }
    }
}
