import JSON

extension JSONValue {
    /// The value of a text, for tests that are about something else than parsing.
    init(parsing text: String) throws {
        self = try JSONParser().parse(Array(text.utf8))
    }
}
