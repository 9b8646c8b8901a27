internal import Configuration
internal import JSON
internal import Networking

extension ResponseField {
    /// The members of the config's mapping, of which exactly one is given.
    static let fields: [FieldSpec] = [
        .optional("header", .string, "The response header that holds it."),
        .optional("path", .string, "The key path to it in the body."),
    ]

    /// Reads such a mapping; nil when it is absent or invalid.
    init?(_ reader: FieldReader, _ field: String) {
        guard let inner = reader.optionalObject(field) else { return nil }
        switch (inner.optionalString("header"), inner.optionalString("path")) {
        case (let header?, nil): self.init(header: header, inner)
        case (nil, let path?): self.init(path: path, inner)
        case (nil, nil):
            if inner.isSound { inner.report(.error, at: nil, "\"\(field)\" needs \"header\" or \"path\"") }
            return nil
        case (_?, _?):
            inner.report(.error, at: "path", "\"header\" and \"path\" exclude each other; keep one")
            return nil
        }
    }

    private init?(header: String, _ reader: FieldReader) {
        guard HTTPHeader.isSendable(name: header) else {
            reader.report(.error, at: "header", "\(header.debugDescription) is no name of a header")
            return nil
        }
        self = .header(header)
    }

    private init?(path: String, _ reader: FieldReader) {
        guard let path = reader.keyPath("path", path) else { return nil }
        self = .path(path)
    }
}

extension FieldReader {
    /// Parses the key path of a field, and reports an invalid one.
    func keyPath(_ field: String, _ text: String) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        report(
            .error, at: field, "\"\(text)\" is no key path; write names with dots between them, like data.products")
        return nil
    }
}
