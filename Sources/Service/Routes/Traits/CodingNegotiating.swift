internal import HTTPServer

/// Finds the content coding that a client is best sent, and keeps to what the client excluded.
protocol CodingNegotiating: Sendable {}

extension CodingNegotiating {
    /// The coding that is best for a request, and whether none will do as well.
    /// - Throws: `UnacceptableCodings`.
    func coding(for request: HTTPRequest) throws(UnacceptableCodings) -> (best: ContentCoding, orNone: Bool) {
        switch AcceptedCodings(request.header("Accept-Encoding")).choice {
        case .identity: return (.identity, true)
        case .gzip(let orIdentity): return (.gzip, orIdentity)
        case .nothing: throw UnacceptableCodings()
        }
    }
}
