internal import Configuration

extension FieldSpec {
    /// The field that all paginations with more than one page share.
    static let maxPages = FieldSpec.defaulted(
        "max_pages", .integer, "1000", "The most pages that are read; a collection with more is an error.")
}

extension FieldReader {
    /// The value of `FieldSpec.maxPages`.
    func maxPages() -> Int {
        integer("max_pages", in: 1...)
    }

    /// The name of a query parameter that is required or has a default.
    func parameterName(_ field: String) -> String {
        let name = string(field)
        if name.isEmpty { report(.error, at: field, "\"\(field)\" must not be empty") }
        return name
    }

    /// Notes that the parameter for a page's size is named but not its value, which would never be sent.
    func requireSize(_ size: String, for parameter: String) {
        guard has(parameter), !has(size) else { return }
        report(.error, at: parameter, "\"\(parameter)\" is sent only with \"\(size)\", which is missing")
    }
}
