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
    case entityTag = "ETag"
    case lastModified = "Last-Modified"
    case link = "Link"
    case retryAfter = "Retry-After"
    case cacheTag = "Cache-Tag"
    case surrogateKey = "Surrogate-Key"
    case vary = "Vary"
    case authenticate = "WWW-Authenticate"
    case contentSecurityPolicy = "Content-Security-Policy"
    case referrerPolicy = "Referrer-Policy"
    case preferenceApplied = "Preference-Applied"
    case contentTypeOptions = "X-Content-Type-Options"
    case requestID = "X-Request-Id"

    var meaning: String {
        switch self {
        case .allowedHeaders: "What pages of that origin may send."
        case .allowedMethods: "How they may ask."
        case .allowedOrigin: "The origin whose pages may read the answer; `*` for all."
        case .exposedHeaders: "Which fields they may read."
        case .preflightAge: "For how many seconds this holds."
        case .allow: "The methods that the resource has."
        case .cacheControl: "Who may keep the answer, and for how long (RFC 9111, RFC 5861)."
        case .cacheStatus:
            "How the answer was come by (RFC 9211): `age` is how many seconds ago the source confirmed the catalogue, and "
                + "`detail` says when it is stale. Caches before Larder come first."
        case .contentEncoding: "How the bytes are coded on their way."
        case .entityTag: "What names these bytes, for `If-None-Match`."
        case .lastModified: "When these products were first seen."
        case .link: "Another page, or the whole catalogue (RFC 8288)."
        case .retryAfter: "In how many seconds it makes sense to ask again."
        case .authenticate: "The proof that the request lacks."
        case .cacheTag, .surrogateKey: "The keys by which a delivery network may be told to drop the answer."
        case .vary: "The request's header fields that made a difference."
        case .contentSecurityPolicy: "What the page may load."
        case .referrerPolicy: "What links of the page tell."
        case .preferenceApplied: "The preference of the request that was heeded."
        case .contentTypeOptions: "That the media type is to be believed."
        case .requestID: "What the request is called in the log: what it came with under this name, or else a new name."
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
        case .authenticate: Schema.choice(of: ["Signature", "Bearer"])
        case .preferenceApplied: ["const": "respond-async"]
        case .cacheStatus: Schema.text(matching: "larder; [^,]+; age=[0-9]+")
        case .contentEncoding: ["const": "gzip"]
        case .requestID: Schema.text(matching: "^[A-Za-z0-9._~+/=-]{1,128}$")
        case .allowedHeaders, .allowedMethods, .allowedOrigin, .exposedHeaders, .allow, .cacheControl, .vary,
            .contentSecurityPolicy, .referrerPolicy, .contentTypeOptions, .cacheTag, .surrogateKey:
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
