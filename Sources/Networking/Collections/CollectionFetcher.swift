package import JSON

/// Fetches parts of a collection: one request, one response.
///
/// Independent of pages and items, so that data sources with and without pages share it. Fetches may run concurrently.
package protocol CollectionFetcher: Sendable {
    /// Sends a request once and returns the response, whatever its status.
    ///
    /// - Throws: `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    func fetch(_ request: HTTPClientRequest) async throws -> HTTPClientResponse
}

/// Fetches through an HTTP session, which adds authentication and metrics.
package struct HTTPCollectionFetcher: CollectionFetcher {
    private let session: any HTTPSession

    package init(session: any HTTPSession) {
        self.session = session
    }

    package func fetch(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await session.send(request)
    }
}

/// A collection of an upstream: its requests with their limits, and the key paths of its items and their ids.
package struct CollectionResource: Sendable {
    package let limits: HTTPClientLimits
    /// The paths of the array of items in a page's body; the first that leads to one counts.
    package let itemsPaths: [JSONPath]
    /// The paths of an item's id; the first that leads to a value counts.
    package let idPaths: [JSONPath]
    /// Returns the items in a page's body; nil where no path leads to an array.
    package let items: @Sendable (JSONValue) -> [JSONValue]?
    private let template: ResolvedRequestTemplate

    /// - Parameters:
    ///   - itemsPaths: by default the body itself is the array of items.
    ///   - idPaths: `id` by default.
    ///   - items: by default they are as they stand at the first path that leads to an array.
    ///   - limits: of each request; the body limit counts for all pages together.
    package init(
        template: ResolvedRequestTemplate, itemsPaths: [JSONPath] = [.root],
        idPaths: [JSONPath] = ["id"].compactMap { JSONPath($0) },
        items: (@Sendable (JSONValue) -> [JSONValue]?)? = nil, limits: HTTPClientLimits
    ) {
        self.template = template
        self.itemsPaths = itemsPaths
        self.idPaths = idPaths
        self.items = items ?? { $0.firstArray(at: itemsPaths) }
        self.limits = limits
    }

    /// The collection's URL for messages, without secrets.
    package var place: String { HTTPClientFailure(url: template.url, detail: "").place }

    /// The request for the collection's own URL.
    ///
    /// - Parameter headers: added to those of the template, such as validators; the template's win.
    package func request(adding headers: [HTTPHeader] = []) -> HTTPClientRequest {
        var request = template.request(limits: limits)
        let own = Set(request.headers.map { $0.name.lowercased() })
        request.headers += headers.filter { !own.contains($0.name.lowercased()) }
        return request
    }

    /// Returns the request for something of a single item, with the headers of the collection's; nil unless its URL stays
    /// on the origin of the base URL.
    ///
    /// - Parameters:
    ///   - target: the path, and the query if there is one, percent-encoded; joined to the base URL.
    ///   - headers: added to those of the template, such as validators; the template's win.
    package func request(forItem target: String, adding headers: [HTTPHeader]) -> HTTPClientRequest? {
        let path = target.prefix { $0 != "?" }
        let base = template.baseURL.hasSuffix("/") ? String(template.baseURL.dropLast()) : template.baseURL
        guard target.hasPrefix("/"), !target.hasPrefix("//"),
            !path.replacing("%2F", with: "/").split(separator: "/").contains(where: { $0 == "." || $0 == ".." }),
            let address = WebAddress(base + target), address.origin == WebAddress(template.baseURL)?.origin
        else { return nil }
        var request = request(adding: headers)
        (request.method, request.url, request.body) = (RequestMethod.get.rawValue, address.text, [])
        return request
    }

    /// The id of an item: the first value present counts, as in decoding.
    func id(of item: JSONValue) -> String? {
        for path in idPaths {
            if let value = item[path], !value.isNull { return value.plainText }
        }
        return nil
    }

    /// Whether a body queries GraphQL, so that a 200 may carry errors.
    package var isGraphQL: Bool { template.body?["query"]?.string != nil }

    /// Whether a validator may be sent: a `POST` has none.
    package var isConditional: Bool { template.method == .get }

    /// Returns the body of the request for a page; nil where it has none of its own.
    func body(of page: PageRequest) -> [UInt8]? {
        guard case .variable(let name, let value) = page, var body = template.body else { return nil }
        var variables = body["variables"]?.object ?? JSONObject()
        variables[name] = value
        body["variables"] = .object(variables)
        return JSONValue.object(body).encoded()
    }

    /// Resolves the address of a page; nil for a link that is malformed or unsafe.
    ///
    /// - Parameter current: the page with the link; nil for the collection itself.
    func address(of page: PageRequest, from current: WebAddress? = nil) -> WebAddress? {
        switch page {
        case .parameters(let parameters), .beyond(let parameters, _, _): WebAddress(template.url(with: parameters))
        case .variable: WebAddress(template.url)
        case .link(let reference): (current ?? WebAddress(template.url))?.resolving(reference)
        }
    }

    /// Whether a link may be followed with the request's headers: within its origin or to another that the template
    /// names, but never from https to http.
    func follows(_ link: WebAddress, from current: WebAddress) -> Bool {
        if link.origin == current.origin { return true }
        guard link.origin.scheme == "https" || current.origin.scheme == "http" else { return false }
        return template.request(limits: limits).redirectOrigins.contains(link.origin)
    }

    /// The error for a collection without a valid URL.
    var badAddress: HTTPClientError {
        .other(HTTPClientFailure(url: template.url, detail: "the URL cannot be read"))
    }
}
