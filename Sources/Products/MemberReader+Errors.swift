import JSON

extension MemberReader {
    func mismatch(
        _ name: String, _ value: JSONValue, expected: String, at index: Int? = nil
    ) -> DecodingError {
        .typeMismatch(JSONValue.self, context(name, index, "expected \(expected), found \(value.excerpt)"))
    }

    func corrupted(_ name: String, _ description: String, at index: Int? = nil) -> DecodingError {
        .dataCorrupted(context(name, index, description))
    }

    private func context(_ name: String, _ index: Int?, _ description: String) -> DecodingError.Context {
        let element = index.map { [JSONPathKey.index($0)] } ?? []
        return DecodingError.Context(
            codingPath: codingPath + [JSONPathKey.name(name)] + element, debugDescription: description)
    }
}
