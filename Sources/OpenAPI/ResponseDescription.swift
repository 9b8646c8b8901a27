package import JSON

/// A response of a route, for one of the reasons for its status.
package struct ResponseDescription: Sendable {
    /// A body in one of the media types it may have.
    package struct Content: Sendable {
        let mediaType: String
        let schema: JSONObject
        /// Bodies that are sent exactly so, by name.
        let examples: JSONObject

        package init(mediaType: String, schema: JSONObject, examples: JSONObject = JSONObject()) {
            self.mediaType = mediaType
            self.schema = schema
            self.examples = examples
        }
    }

    package let status: Int
    /// The reason for the response, in a sentence.
    let meaning: String
    /// The header fields that every such response has.
    var fields: [ResponseHeader]
    /// The header fields that some have.
    var possibleFields: [ResponseHeader]
    let contents: [Content]
    /// Link objects to operations that take values of the body, by name.
    let links: JSONObject

    package init(
        status: Int, meaning: String, fields: [ResponseHeader] = [], possibleFields: [ResponseHeader] = [],
        contents: [Content] = [], links: JSONObject = JSONObject()
    ) {
        self.status = status
        self.meaning = meaning
        self.fields = fields
        self.possibleFields = possibleFields
        self.contents = contents
        self.links = links
    }

    /// Adds header fields.
    package func with(_ fields: [ResponseHeader], possible: [ResponseHeader] = []) -> ResponseDescription {
        var copy = self
        copy.fields += fields
        copy.possibleFields += possible
        return copy
    }

    /// A problem that caches must not keep.
    package static func problem(
        _ status: Int, _ meaning: String, fields: [ResponseHeader] = [], possibleFields: [ResponseHeader] = [],
        examples: JSONObject = JSONObject()
    ) -> ResponseDescription {
        ResponseDescription(
            status: status, meaning: meaning, fields: [.cacheControl] + fields, possibleFields: possibleFields,
            contents: [
                Content(
                    mediaType: "application/problem+json", schema: Schema.named(ProblemSchema.name),
                    examples: examples)
            ])
    }

    /// The response object of one status, whatever the reasons for it.
    ///
    /// - Parameters:
    ///   - responses: one for each reason, at least one.
    ///   - hasBody: whether responses to the method have bodies.
    package static func json(of responses: [ResponseDescription], hasBody: Bool) -> JSONObject {
        var json: JSONObject = ["description": .string(responses.map(\.meaning).joined(separator: " "))]
        let headers = ResponseHeader.allCases.compactMap { field -> (String, JSONValue)? in
            guard responses.contains(where: { ($0.fields + $0.possibleFields).contains(field) }) else { return nil }
            let isAlwaysThere = responses.allSatisfy { $0.fields.contains(field) }
            return (field.rawValue, .object(field.json(isAlwaysThere: isAlwaysThere)))
        }
        if !headers.isEmpty { json["headers"] = .object(JSONObject(headers)) }
        let contents = contents(of: responses)
        if hasBody, !contents.isEmpty { json["content"] = .object(contents) }
        let links = responses.reduce(into: JSONObject()) { $0.add($1.links) }
        if hasBody, !links.isEmpty { json["links"] = .object(links) }
        return json
    }

    private static func contents(of responses: [ResponseDescription]) -> JSONObject {
        var contents = JSONObject()
        for content in responses.flatMap(\.contents) {
            var json = contents[content.mediaType]?.object ?? ["schema": .object(content.schema)]
            if !content.examples.isEmpty {
                var examples = json["examples"]?.object ?? [:]
                examples.add(content.examples)
                json["examples"] = .object(examples)
            }
            contents[content.mediaType] = .object(json)
        }
        return contents
    }
}

/// The header fields that the description lists: all but those of any HTTP message.
package enum ResponseHeader: String, Sendable, CaseIterable {
    case allowedHeaders = "Access-Control-Allow-Headers"
    case allowedMethods = "Access-Control-Allow-Methods"
    case allowedOrigin = "Access-Control-Allow-Origin"
    case exposedHeaders = "Access-Control-Expose-Headers"
    case preflightAge = "Access-Control-Max-Age"
    case allow = "Allow"
    case cacheControl = "Cache-Control"
    case cacheStatus = "Cache-Status"
    case contentEncoding = "Content-Encoding"
    case contentLanguage = "Content-Language"
    case entityTag = "ETag"
    case lastModified = "Last-Modified"
    case link = "Link"
    case rateLimit = "RateLimit"
    case rateLimitPolicy = "RateLimit-Policy"
    case retryAfter = "Retry-After"
    case cacheTag = "Cache-Tag"
    case surrogateKey = "Surrogate-Key"
    case variant = "Larder-Variant"
    case vary = "Vary"
    case authenticate = "WWW-Authenticate"
    case contentSecurityPolicy = "Content-Security-Policy"
    case referrerPolicy = "Referrer-Policy"
    case preferenceApplied = "Preference-Applied"
    case contentTypeOptions = "X-Content-Type-Options"
    case requestID = "X-Request-Id"

    var meaning: String {
        switch self {
        case .allowedHeaders: "The request headers that pages of that origin may send."
        case .allowedMethods: "The methods that they may use."
        case .allowedOrigin: "The origin whose pages may read the response; `*` for all."
        case .exposedHeaders: "The header fields that they may read."
        case .preflightAge: "The seconds for which this may be cached."
        case .allow: "The methods that the resource supports."
        case .cacheControl: "Which caches may store the response, and for how long (RFC 9111, RFC 5861)."
        case .cacheStatus:
            "How caches handled the request (RFC 9211): `age` is the seconds since the source confirmed the catalogue, "
                + "and `detail` marks a stale one. Caches before Larder come first."
        case .contentEncoding: "The coding of the transferred bytes."
        case .contentLanguage: "The language that was chosen; absent where the products are as they are stored."
        case .entityTag: "The tag of these bytes, for `If-None-Match`."
        case .lastModified: "When these products were first seen."
        case .link: "Another page, or the whole catalogue (RFC 8288)."
        case .rateLimit: "The requests that remain, and the seconds until there is another one."
        case .rateLimitPolicy: "The requests of a burst, and the seconds in which as many may come."
        case .retryAfter: "The seconds after which to retry."
        case .authenticate: "The credentials that the request lacks."
        case .cacheTag, .surrogateKey: "The keys for purging the response from a delivery network."
        case .variant: "The variant whose key was looked up, by its id or SKU, percent-encoded."
        case .vary: "The request headers on which the response depends."
        case .contentSecurityPolicy: "The resources that the page may load."
        case .referrerPolicy: "The referrer that links of the page send."
        case .preferenceApplied: "The preference of the request that was applied."
        case .contentTypeOptions: "Disables guessing of the media type."
        case .requestID:
            "The identifier of the request in the log: the request's own `X-Request-Id`, or else a new one."
        }
    }

    var schema: JSONObject {
        switch self {
        case .preflightAge: ["type": "integer", "minimum": 0]
        case .retryAfter: ["type": "integer", "minimum": 1]
        case .entityTag: Schema.text(matching: #"^"[!#-~]+"$"#)
        case .lastModified:
            Schema.text(matching: "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$")
        case .link: Schema.text(matching: #"^<[^>]+>; rel="(alternate|first|next)"$"#)
        case .authenticate: Schema.choice(of: ["Signature", "Bearer", "Bearer error=\"invalid_token\""])
        case .rateLimit: Schema.text(matching: #"^"(address|key)";r=0;t=[0-9]+$"#)
        case .rateLimitPolicy: Schema.text(matching: #"^"(address|key)";q=[0-9]+;w=[0-9]+$"#)
        case .preferenceApplied: ["const": "respond-async"]
        case .cacheStatus: Schema.text(matching: "larder; [^,]+; age=[0-9]+")
        case .contentEncoding: ["const": "gzip"]
        case .requestID: Schema.text(matching: "^[A-Za-z0-9._~+/=-]{1,128}$")
        case .allowedHeaders, .allowedMethods, .allowedOrigin, .exposedHeaders, .allow, .cacheControl, .contentLanguage,
            .vary, .contentSecurityPolicy, .referrerPolicy, .contentTypeOptions, .cacheTag, .surrogateKey, .variant:
            Schema.text
        }
    }

    /// A header object of the document.
    func json(isAlwaysThere: Bool) -> JSONObject {
        var json: JSONObject = ["description": .string(meaning)]
        if isAlwaysThere { json["required"] = true }
        json["schema"] = .object(schema)
        return json
    }
}
