internal import Concurrency
package import JSON

/// Fetches a collection from an upstream: one request, one page, as it came.
///
/// Knows the collection's URL, its authentication and the place of the items in a body, but not their meaning, so that
/// sources with and without pages share it. Fetches may run concurrently.
package final class CollectionFetcher: Sendable {
    private struct Fetches {
        var nextID = 0
        var running: [Int: Task<HTTPClientResponse, any Error>] = [:]
    }

    /// The paths to the array of items in a page's body; the first that leads to one counts.
    package let itemsPaths: [JSONPath]
    package let limits: HTTPClientLimits
    private let client: HTTPClient
    private let template: ResolvedRequestTemplate
    private let authentication: (any Authentication)?
    private let meter: RequestMeter
    private let fetches = Mutex(Fetches())

    /// Creates a fetcher; by default the body itself is the array of items.
    package init(
        client: HTTPClient, template: ResolvedRequestTemplate, authentication: (any Authentication)? = nil,
        itemsPaths: [JSONPath] = [.root], limits: HTTPClientLimits, meter: RequestMeter = RequestMeter()
    ) {
        self.client = client
        self.template = template
        self.authentication = authentication
        self.itemsPaths = itemsPaths
        self.limits = limits
        self.meter = meter
    }

    /// The collection's URL for messages, without secrets.
    package var place: String { HTTPClientFailure(url: template.url, detail: "").place }

    /// Sends the request once and returns the response, whatever its status.
    ///
    /// - Parameter headers: added to those of the template, such as validators; the template's win.
    /// - Throws: `HTTPClientError`; `CancellationError` after `cancel`, or when the calling task is cancelled.
    package func fetch(adding headers: [HTTPHeader] = []) async throws -> HTTPClientResponse {
        try await send(template.request(limits: limits), adding: headers)
    }

    /// Requests one page by its whole URL, whose origin must have passed ``follows(_:from:)``.
    func fetch(_ url: String, bodyLimit: Int, adding headers: [HTTPHeader]) async throws -> HTTPClientResponse {
        var request = template.request(limits: limits)
        request.url = url
        request.limits.body = bodyLimit
        return try await send(request, adding: headers)
    }

    /// Resolves the address of a page; nil for a link that is malformed or unsafe.
    ///
    /// - Parameter current: the page with the link; nil for the collection itself.
    func address(of page: PageRequest, from current: WebAddress? = nil) -> WebAddress? {
        switch page {
        case .parameters(let parameters): WebAddress(template.url(with: parameters))
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

    private func send(_ request: HTTPClientRequest, adding headers: [HTTPHeader]) async throws -> HTTPClientResponse {
        var request = request
        let own = Set(request.headers.map { $0.name.lowercased() })
        request.headers += headers.filter { !own.contains($0.name.lowercased()) }
        let (id, task) = start(request)
        defer { fetches.withLock { $0.running[id] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels all running fetches, but no later ones.
    package func cancel() {
        for task in fetches.withLock({ $0.running.values.map { $0 } }) { task.cancel() }
    }

    private func start(_ request: HTTPClientRequest) -> (id: Int, task: Task<HTTPClientResponse, any Error>) {
        fetches.withLock { fetches in
            fetches.nextID += 1
            let task = Task { [client, authentication, meter] in
                var request = request
                if let authentication { request.headers.replace(with: await authentication.headers()) }
                try Task.checkCancellation()
                return try await meter.measuring { try await client.send(request) }
            }
            fetches.running[fetches.nextID] = task
            return (fetches.nextID, task)
        }
    }
}
