internal import HTTPServer
internal import JSON

extension HTTPCORS {
    /// The header fields of all responses.
    var fields: [ResponseHeader] {
        if allowedOrigins.isEmpty { return [] }
        return allowsAll ? Self.grant : [.vary]
    }

    /// The header fields of responses to listed origins.
    var possibleFields: [ResponseHeader] { allowedOrigins.isEmpty || allowsAll ? [] : Self.grant }

    /// The header fields that browsers add to requests of pages.
    var parameters: [ParameterDescription] {
        allowedOrigins.isEmpty ? [] : [Self.parameter("Origin", "The origin of the page that asks.", example)]
    }

    /// The header fields of a preflight.
    var preflightParameters: [ParameterDescription] {
        guard !allowedOrigins.isEmpty else { return [] }
        return parameters + [
            Self.parameter("Access-Control-Request-Method", "How the page wants to ask.", "GET")
        ]
    }

    /// The response to a preflight; nil without CORS.
    var preflight: ResponseDescription? {
        guard !allowedOrigins.isEmpty else { return nil }
        return ResponseDescription(
            status: 204, meaning: "The page may ask.",
            fields: [.allowedOrigin, .allowedMethods, .allowedHeaders, .preflightAge, .vary])
    }

    private static let grant: [ResponseHeader] = [.allowedOrigin, .exposedHeaders]
    private var allowsAll: Bool { allowedOrigins == ["*"] }
    private var example: String { allowsAll ? "https://shop.example" : allowedOrigins[0] }

    private static func parameter(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}
