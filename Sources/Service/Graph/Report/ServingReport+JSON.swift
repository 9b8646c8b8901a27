internal import JSON
internal import Products
internal import Providers

extension ServingReport {
    /// The member `serving` of `/graph`.
    var json: JSONObject {
        var json: JSONObject = ["state": .string(state.rawValue)]
        if let reason { json["reason"] = .string(reason) }
        if let ratio = counts?.hitRatio { json["hit_ratio"] = .measure(ratio, digits: 4) }
        if !failing.isEmpty { json["failing_upstreams"] = .array(failing.map { .object($0.json) }) }
        json.add(answer?.json)
        json.add(answer?.windows?.json)
        return json
    }
}
