internal import Configuration
internal import FoundationEssentials
internal import JSON
internal import Products
internal import Providers

extension GraphReport {
    /// The report as `/graph` answers it.
    var json: JSONObject {
        [
            "time": .string(time.formatted(.iso8601)),
            "config": .object(["edition": .count(config.edition), "hash": .string(config.hash)]),
            "root": .string(root),
            "serving": .object(serving.json),
            "last_answer": .object(lastAnswer.json),
            "last_refresh": .object(lastRefresh.json),
            "nodes": .array(nodes.map { .object($0.json) }),
            "edges": .array(
                edges.map { ["from": .string($0.from), "to": .string($0.to), "role": .string($0.role)] }.map(
                    JSONValue.object)),
        ]
    }
}

extension GraphReport.Node {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "id": .string(outline.id), "name": .string(outline.name), "type": .string(outline.type),
            "family": .string(outline.family),
        ]
        if let label = outline.label { json["label"] = .string(label) }
        json["settings"] = .object(JSONObject(outline.shownSettings.map { ($0.name, .string($0.text)) }))
        if let counts {
            json.add(counts.json)
            json["state"] = .object(JSONObject(liveState.map { ($0.name, .string($0.value)) }))
        }
        return json
    }
}

extension GraphWay {
    fileprivate var json: JSONObject {
        ["path": .array(answered.map { .string($0) }), "failed": .array(failed.map { .string($0) })]
    }
}

extension NodeCounts {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "calls": .count(calls), "answers": .count(answers),
            "hits": .count(hits), "failures": .count(failures),
            "cancellations": .count(cancellations), "in_flight": .count(inFlight),
        ]
        if let lastConfirmed { json["last_confirmed"] = .string(lastConfirmed.formatted(.iso8601)) }
        if let lastFailure {
            json["last_failure"] = .object([
                "reason": .string(lastFailure.failure.token), "detail": .string("\(lastFailure.failure)"),
                "time": .string(lastFailure.time.formatted(.iso8601)),
            ])
        }
        return json
    }
}
