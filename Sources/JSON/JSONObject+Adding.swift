extension JSONObject {
    /// Takes over the members of another object, if there is one. One that is there already keeps its place and gets the
    /// other's value.
    public mutating func add(_ other: JSONObject?) {
        for member in other?.members ?? [] { self[member.key] = member.value }
    }
}
