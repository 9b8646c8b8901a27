internal import JSON

extension HTTPClient {
    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]
    /// Names of the headers that any origin may see: their values came from where the redirect leads.
    private static let validators: Set<String> = ["if-none-match", "if-modified-since"]

    /// Sends a request and follows redirects. Its headers are for its own origin and those that it trusts: any other is
    /// asked without them, and not at all where one is a secret.
    ///
    /// - Returns: the response, and the request that it answers.
    func sendFollowingRedirects(
        _ request: HTTPClientRequest
    ) async throws -> (HTTPClientResponse, HTTPClientRequest) {
        let trusted = request.redirectOrigins.union(WebAddress(request.url).map { [$0.origin] } ?? [])
        let deadline = ContinuousClock.now + request.limits.timeout
        var hop = request
        for _ in 0...HTTPClientRequest.maxRedirects {
            hop.limits.timeout = min(request.limits.timeout, ContinuousClock.now.duration(to: deadline))
            let response = try await exchange(hop)
            guard Self.redirectStatuses.contains(response.status), let location = response.headers["Location"] else {
                return (response, hop)
            }
            let target = try Self.target(location, of: hop)
            if !trusted.contains(target.origin) { try Self.dropHeaders(of: &hop, for: target.origin) }
            hop.url = target.text
            if response.status == 303, hop.method != "HEAD" { hop.method = "GET" }
        }
        throw HTTPClientError.tooManyRedirects(
            HTTPClientFailure(url: hop.url, detail: "more than \(HTTPClientRequest.maxRedirects)"))
    }

    /// Where a response redirects to.
    static func target(_ location: String, of hop: HTTPClientRequest) throws(HTTPClientError) -> WebAddress {
        guard let from = WebAddress(hop.url), let target = from.resolving(location) else {
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: "to what is no proper URL"))
        }
        guard target.origin.scheme == "https" || from.origin.scheme == "http" else {
            let detail = "to \(TextExcerpt("\(target.origin)")), without TLS"
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: detail))
        }
        return target
    }

    private static func dropHeaders(of hop: inout HTTPClientRequest, for origin: WebOrigin) throws(HTTPClientError) {
        guard !hop.headers.contains(where: \.isSensitive) else {
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: "to \(TextExcerpt("\(origin)"))"))
        }
        hop.headers.removeAll { !validators.contains($0.name.lowercased()) }
    }
}
