internal import JSON

extension HTTPClient {
    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Follows redirects itself, and only to where the request was sent in the first place: libcurl follows them
    /// anywhere, and takes most headers along.
    func sendWithinOrigin(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let deadline = ContinuousClock.now + request.limits.timeout
        var hop = request
        hop.followsRedirects = false
        for _ in 0...HTTPClientRequest.maxRedirects {
            hop.limits.timeout = min(request.limits.timeout, ContinuousClock.now.duration(to: deadline))
            let response = try await exchange(hop)
            guard Self.redirectStatuses.contains(response.status), let target = response.headers["Location"] else {
                return response
            }
            hop.url = try Self.target(target, from: hop.url)
        }
        throw HTTPClientError.tooManyRedirects(
            HTTPClientFailure(url: request.url, detail: "more than \(HTTPClientRequest.maxRedirects)"))
    }

    private static func target(_ location: String, from url: String) throws(HTTPClientError) -> String {
        guard let from = WebAddress(url), let target = from.resolving(location) else {
            throw .redirectedAway(HTTPClientFailure(url: url, detail: "to what is no proper URL"))
        }
        guard target.origin == from.origin else {
            throw .redirectedAway(HTTPClientFailure(url: url, detail: "to \(TextExcerpt("\(target.origin)"))"))
        }
        return target.text
    }
}
