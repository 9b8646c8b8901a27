public import Configuration
internal import JSON
internal import Networking

/// The config file's `http.cors:`: which pages of other origins may read answers in a browser.
public struct HTTPCORS: Sendable, Hashable {
    /// The origins whose pages may; `*` alone is all of them, and none leaves it to browsers, which allow no other.
    public let allowedOrigins: [String]
    /// What pages may send beside conditions and the headers that the graph consults.
    public let allowedHeaders: [String]
    /// How long a browser may keep what a preflight told it.
    public let maxAge: Duration

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("allow_origins", .list(.string), "[]", "origins such as https://shop.example, or * alone for all"),
        .defaulted(
            "allow_headers", .list(.string), "[]",
            "request headers to allow beside conditions and those that the graph consults"),
        .defaulted("max_age", .duration, "10m", "how long a browser may keep the answer to a preflight"),
    ]

    /// Reads the section.
    public init(_ reader: FieldReader) {
        allowedOrigins = reader.strings("allow_origins")
        allowedHeaders = reader.strings("allow_headers")
        maxAge = reader.duration("max_age", in: .zero ... .seconds(86_400))
        reportUseless(reader)
        for origin in Self.elements("allow_origins", reader) { reportProblem(of: origin.text, origin.node, reader) }
        for header in Self.elements("allow_headers", reader) where !HTTPHeader(header.text, "").isSendable {
            reader.report(
                .error, at: header.node.position,
                "\"allow_headers\": \(header.node.foundValue) is not the name of a header")
        }
    }

    /// Without origins nothing is told to browsers, so what else there is to tell them is lost.
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

extension HTTPCORS {
    /// The fields that all answers of routes have so that pages may read them.
    var fields: [AnswerField] {
        if allowedOrigins.isEmpty { return [] }
        return allowsAll ? Self.grant : [.vary]
    }

    /// The fields that answers to pages of some origins have.
    var possibleFields: [AnswerField] { allowedOrigins.isEmpty || allowsAll ? [] : Self.grant }

    /// What browsers send of a page that asks.
    var parameters: [ParameterDescription] {
        allowedOrigins.isEmpty ? [] : [Self.parameter("Origin", "The origin of the page that asks.", example)]
    }

    /// What they send before a page asks.
    var preflightParameters: [ParameterDescription] {
        guard !allowedOrigins.isEmpty else { return [] }
        return parameters + [
            Self.parameter("Access-Control-Request-Method", "How the page wants to ask.", "GET")
        ]
    }

    /// What they get then.
    var preflight: AnswerDescription? {
        guard !allowedOrigins.isEmpty else { return nil }
        return AnswerDescription(
            status: 204, meaning: "The page may ask.",
            fields: [.allowedOrigin, .allowedMethods, .allowedHeaders, .preflightAge, .vary])
    }

    private static let grant: [AnswerField] = [.allowedOrigin, .exposedHeaders]
    private var allowsAll: Bool { allowedOrigins == ["*"] }
    private var example: String { allowsAll ? "https://shop.example" : allowedOrigins[0] }

    private static func parameter(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}
