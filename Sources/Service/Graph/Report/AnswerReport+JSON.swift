internal import FoundationEssentials
internal import JSON
internal import Products

extension AnswerReport {
    /// What it is, apart from its windows.
    var json: JSONObject {
        [
            "age_seconds": .seconds(age), "fetched_at": .string(fetchedAt.formatted(.iso8601)),
            "origin": .string(origin.rawValue), "products": .count(products),
            "revision": .string(revision),
        ]
    }
}

extension AnswerReport.Windows {
    /// How long they are open.
    var json: JSONObject {
        ["fresh_for_seconds": .seconds(freshFor), "servable_for_seconds": .seconds(servableFor)]
    }
}
