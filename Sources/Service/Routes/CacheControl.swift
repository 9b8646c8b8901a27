internal import Products

/// The `Cache-Control` header of product answers: what the config allows clients, with the windows (RFC 5861) that the
/// graph itself keeps.
struct CacheControl: Sendable {
    let scope: HTTPConfiguration.CacheScope
    let maxAge: Duration

    /// The header's value.
    func value(for freshness: Freshness?) -> String {
        let base = "\(scope.rawValue), max-age=\(maxAge.components.seconds)"
        guard let freshness else { return base }
        return base + ", stale-while-revalidate=\(freshness.staleWhileRevalidate.components.seconds)"
            + ", stale-if-error=\(freshness.staleIfError.components.seconds)"
    }
}

extension CacheControl {
    /// What varies is private unless the config says otherwise: a shared cache need not know of audiences.
    init(_ configuration: HTTPConfiguration, _ variance: AnswerVariance) {
        self.init(
            scope: configuration.cacheScope ?? (variance.isNone ? .public : .private), maxAge: configuration.maxAge)
    }
}
