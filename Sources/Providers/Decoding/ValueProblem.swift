internal import JSON

/// What is wrong with a value of somebody else's that one of ours was to be made of.
struct ValueProblem: Error {
    /// The index of the element that is meant, where the value is an array.
    var element: Int?
    /// What the value should have been.
    let expected: String
    private let found: JSONValue?

    /// A value that cannot be what it should be.
    init(expected: String, found value: JSONValue?, element: Int? = nil) {
        self.element = element
        self.expected = expected
        found = value
    }

    /// The sentence.
    var problem: String { "expected \(expected), found \(found?.excerpt ?? "nothing")" }
}
