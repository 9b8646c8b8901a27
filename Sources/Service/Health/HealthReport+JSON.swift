internal import FoundationEssentials
internal import JSON

extension HealthReport {
    /// In the form `application/health+json` (draft-inadarei-api-health-check-06).
    var json: JSONObject {
        var json: JSONObject = [
            "status": .string(status.rawValue), "version": .string(LarderVersion.current), "serviceId": "larder",
            "description": "a product catalogue that is served also while its source is offline",
        ]
        let outputs = checks.filter { !$0.isExcluded }.flatMap(\.aspects).compactMap(\.output)
        if status != .pass, !outputs.isEmpty { json["output"] = .string(outputs.joined(separator: "; ")) }
        let notes = unknown.map { JSONValue.string("no such check to exclude: \($0)") }
        if !notes.isEmpty { json["notes"] = .array(notes) }
        var found = JSONObject()
        for check in checks where !check.isExcluded {
            for aspect in check.aspects { found[aspect.name] = .array([.object(aspect.json(at: time))]) }
        }
        json["checks"] = .object(found)
        return json
    }
}

extension HealthCheck.Aspect {
    fileprivate func json(at time: Date) -> JSONObject {
        var json: JSONObject = ["status": .string(status.rawValue)]
        json["observedValue"] = value
        json["observedUnit"] = unit.map { .string($0) }
        json["time"] = .string(time.formatted(.iso8601))
        json["output"] = output.map { .string($0) }
        return json
    }
}
