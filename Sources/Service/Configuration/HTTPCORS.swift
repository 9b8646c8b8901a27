package import Configuration
package import HTTPServer
internal import Networking

/// The config file's `http.cors:`.
extension HTTPCORS {
    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .defaulted("allow_origins", .list(.string), "[]", "origins such as https://shop.example, or * alone for all"),
        .defaulted(
            "allow_headers", .list(.string), "[]",
            "request headers to allow beside conditions and those that the graph consults"),
        .defaulted("max_age", .duration, "10m", "how long a browser may keep the answer to a preflight"),
    ]

    /// Reads the section.
    package init(_ reader: FieldReader) {
        self.init(
            allowedOrigins: reader.strings("allow_origins"), allowedHeaders: reader.strings("allow_headers"),
            maxAge: reader.duration("max_age", in: .zero ... .seconds(86_400)))
        reportUseless(reader)
        for origin in Self.elements("allow_origins", reader) { reportProblem(of: origin.text, origin.node, reader) }
        for header in Self.elements("allow_headers", reader) where !HTTPHeader(header.text, "").isSendable {
            reader.report(
                .error, at: header.node.position,
                "\"allow_headers\": \(header.node.foundValue) is not the name of a header")
        }
    }

    /// Warns of options that have no effect without origins.
    private func reportUseless(_ reader: FieldReader) {
        guard reader.isSound, allowedOrigins.isEmpty else { return }
        let useless = (allowedHeaders.isEmpty ? [] : ["allow_headers"]) + (reader.has("max_age") ? ["max_age"] : [])
        for field in useless {
            reader.report(
                .warning, at: field,
                "\"\(field)\" does nothing: \"allow_origins\" names no origin whose pages may read answers")
        }
    }

    private func reportProblem(of origin: String, _ node: ConfigNode, _ reader: FieldReader) {
        if origin == "*" {
            guard allowedOrigins.count > 1 else { return }
            return reader.report(
                .error, at: node.position, "\"allow_origins\": \"*\" stands for all origins; leave out the others")
        }
        guard let spelled = WebOrigin(origin)?.description else {
            return reader.report(
                .error, at: node.position,
                "\"allow_origins\": bad origin \(node.foundValue); write it like https://shop.example or "
                    + "http://localhost:3000, or * alone for all")
        }
        guard spelled != origin else { return }
        reader.report(
            .error, at: node.position,
            "\"allow_origins\": browsers never send \(node.foundValue), "
                + "but scheme, host and unusual port in lower case",
            suggestion: node.showsValue ? spelled : nil)
    }

    private static func elements(_ field: String, _ reader: FieldReader) -> [(text: String, node: ConfigNode)] {
        (reader.node(field)?.elements ?? []).compactMap { node in node.text.map { ($0, node) } }
    }
}
