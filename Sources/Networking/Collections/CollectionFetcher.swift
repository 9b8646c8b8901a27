public import JSON
internal import Locks

/// Fetches a collection from an upstream: one request, one page, as it came.
///
/// It knows where the collection is and where in the body its items are, and nothing of what they mean, so that sources
/// with and without pages can share it. Several fetches may be under way at once.
public final class CollectionFetcher: Sendable {
    private struct Fetches {
        var nextID = 0
        var running: [Int: Task<HTTPClientResponse, any Error>] = [:]
    }

    /// The way to the array of items in a page's body.
    public let items: JSONPath
    private let client: HTTPClient
    private let template: ResolvedRequestTemplate
    private let limits: HTTPClientLimits
    private let fetches = Mutex(Fetches())

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - items: the way to the array of items in a page's body; the body itself unless given.
    ///   - limits: of each request.
    public init(
        client: HTTPClient, template: ResolvedRequestTemplate, items: JSONPath = .root, limits: HTTPClientLimits
    ) {
        self.client = client
        self.template = template
        self.items = items
        self.limits = limits
    }

    /// Asks once and gives back the response, whatever its status.
    ///
    /// - Parameter headers: sent beside those of the template, such as validators.
    /// - Throws: `HTTPClientError`; `CancellationError` after `cancel`, or when the calling task is cancelled.
    public func fetch(adding headers: [HTTPHeader] = []) async throws -> HTTPClientResponse {
        var request = template.request(limits: limits)
        request.headers += headers
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
            let task = Task { [client] in try await client.send(request) }
            fetches.running[fetches.nextID] = task
            return (fetches.nextID, task)
        }
    }
}
