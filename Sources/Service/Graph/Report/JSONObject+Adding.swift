internal import JSON

extension JSONObject {
    /// Takes over the members of another object, if there is one.
    mutating func add(_ other: JSONObject?) {
        for member in other?.members ?? [] { self[member.key] = member.value }
    }
}
