internal import Concurrency
public import JSON

/// Fetches a collection from an upstream: one request, one page, as it came.
///
/// It knows where the collection is, who may ask for it and where in the body its items are, and nothing of what they
/// mean, so that sources with and without pages can share it. Several fetches may be under way at once.
public final class CollectionFetcher: Sendable {
    private struct Fetches {
        var nextID = 0
        var running: [Int: Task<HTTPClientResponse, any Error>] = [:]
    }

    /// The ways to the array of items in a page's body, in order of preference; the first that leads to one counts.
    public let itemsPaths: [JSONPath]
    /// Of each request.
    public let limits: HTTPClientLimits
    private let client: HTTPClient
    private let template: ResolvedRequestTemplate
    private let authentication: (any Authentication)?
    private let meter: RequestMeter
    private let fetches = Mutex(Fetches())

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - authentication: proves with every request who asks; nil where the upstream does not mind.
    ///   - itemsPaths: the ways to the array of items in a page's body; the body itself unless given.
    ///   - limits: of each request.
    ///   - meter: measures each request.
    public init(
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

    /// Where the collection is, as messages name it: without what may be secret.
    public var place: String { HTTPClientFailure(url: template.url, detail: "").place }

    /// Asks once and gives back the response, whatever its status.
    ///
    /// - Parameter headers: sent beside those of the template, such as validators; the template's own win.
    /// - Throws: `HTTPClientError`; `CancellationError` after `cancel`, or when the calling task is cancelled.
    public func fetch(adding headers: [HTTPHeader] = []) async throws -> HTTPClientResponse {
        try await send(template.request(limits: limits), adding: headers)
    }

    /// Asks for one page by its whole URL, which must be of an origin that is followed.
    ///
    /// - Parameters:
    ///   - bodyLimit: instead of that in `limits`.
    ///   - headers: as in ``fetch(adding:)``.
    func fetch(
        _ url: String, bodyLimit: Int, adding headers: [HTTPHeader] = []
    ) async throws -> HTTPClientResponse {
        var request = template.request(limits: limits)
        request.url = url
        request.limits.body = bodyLimit
        return try await send(request, adding: headers)
    }

    /// Where a page is; nil when its link is none, or none that may be followed.
    ///
    /// - Parameter current: the page that the link stood on; the collection itself unless given.
    func address(of page: PageRequest, from current: WebAddress? = nil) -> WebAddress? {
        switch page {
        case .parameters(let parameters): WebAddress(template.url(with: parameters))
        case .link(let reference): (current ?? WebAddress(template.url))?.resolving(reference)
        }
    }

    /// Whether a link on a page may be followed with the request's headers: within its origin, or to another origin
    /// that the template names, but not from https to http.
    func follows(_ link: WebAddress, from current: WebAddress) -> Bool {
        if link.origin == current.origin { return true }
        guard link.origin.scheme == "https" || current.origin.scheme == "http" else { return false }
        return template.request(limits: limits).redirectOrigins.contains(link.origin)
    }

    /// What is thrown where the collection has no proper address.
    var badAddress: HTTPClientError {
        .other(HTTPClientFailure(url: template.url, detail: "the URL cannot be read"))
    }

    private func send(
        _ request: HTTPClientRequest, adding headers: [HTTPHeader] = []
    ) async throws -> HTTPClientResponse {
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

    /// Ends all fetches that are under way. Later ones are not touched.
    public func cancel() {
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
