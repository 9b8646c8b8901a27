internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Products

/// Makes the headers that say how fresh a product answer is.
protocol FreshnessResponding: Sendable {
    var resource: ProductsResource { get }
}

extension FreshnessResponding {
    /// The head of a product answer, made once a second for each freshness.
    func head(
        of encoded: CachedResponse, as form: ResponseForm, from answer: ProductsAnswer, lastModified: LastModified
    ) throws -> HTTPHeaderBlock {
        try memoised(by: encoded.headMemo, form, answer, lastModified) { now in
            encoded.representation.tagHead.followed(by: try tagless(form, answer, lastModified, at: now))
        }
    }

    /// The head of one of many representations that differ in the tag alone: the memo keeps what is common.
    func head(
        of representation: Representation, as form: ResponseForm, from answer: ProductsAnswer,
        lastModified: LastModified, sharing memo: HeaderCache
    ) throws -> HTTPHeaderBlock {
        let common = try memoised(by: memo, form, answer, lastModified) { now in
            try tagless(form, answer, lastModified, at: now)
        }
        return representation.tagHead.followed(by: common)
    }

    private func memoised(
        by memo: HeaderCache, _ form: ResponseForm, _ answer: ProductsAnswer, _ lastModified: LastModified,
        make: (Date) throws -> HTTPHeaderBlock
    ) throws -> HTTPHeaderBlock {
        let now = resource.wallClock.now()
        let second = Int(now.timeIntervalSince1970)
        let key = HeaderCache.Key(
            form: form, second: second, modified: lastModified.seconds, fetchedAt: answer.snapshot.fetchedAt,
            freshness: answer.freshness)
        return try memo.head(for: key) { try make(now) }
    }

    /// A 304 does not describe the bytes that it does not have, because a cache would take that for a description of the
    /// bytes it has.
    private func tagless(
        _ form: ResponseForm, _ answer: ProductsAnswer, _ lastModified: LastModified, at now: Date
    ) throws -> HTTPHeaderBlock {
        var head: HTTPHeaderBlock
        switch form {
        case .whole(.identity): head = ["Content-Type": "application/json"]
        case .whole(.gzip): head = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        case .notModified: head = HTTPHeaderBlock()
        }
        try head.append("Last-Modified", lastModified.text(at: now))
        let age = Int(answer.snapshot.age(at: now).components.seconds)
        head.append("Age", number: age)
        head.append(try resource.cacheControl.head(for: answer, age: age))
        head.append(resource.consulted.variance.head)
        try head.append("Cache-Status", CacheStatus.value(for: answer, at: now))
        return head
    }
}

extension FreshnessResponding {
    /// The fields of product answers.
    var freshFields: [ResponseHeader] {
        [.entityTag, .lastModified, .age, .cacheControl, .cacheStatus, .vary]
            + (resource.cacheControl.scope == .public ? [.cacheExpiry] : [])
    }

    /// The fields of errors which may be none for another audience.
    var varyingFields: [ResponseHeader] { resource.consulted.variance.isNone ? [] : [.vary] }

    /// The response when the graph has no answer.
    var unavailable: ResponseDescription {
        .problem(503, "There is no catalogue to serve at the moment.", fields: [.retryAfter] + varyingFields)
    }

    /// The response when a condition names another answer.
    var changed: ResponseDescription {
        .problem(412, "`If-Match` or `If-Unmodified-Since` is about something else.", fields: varyingFields)
    }
}

/// The caches that may keep an answer, as `Cache-Control` names them.
package enum CacheScope: String, Sendable, CaseIterable {
    case `public`, `private`
}

/// How long caches may keep product answers: what the config allows clients, with the windows (RFC 5861) that the graph
/// itself keeps.
package struct CacheControl: Sendable {
    let scope: CacheScope
    let maxAge: Duration
    /// RFC 9111 (1.2.2) has caches take more for this.
    private static let longest = Int(Int32.max)

    /// The fields of an answer whose `Age` is given, in seconds.
    ///
    /// Caches count from the moment at which the source confirmed the catalogue: an answer is fresh while its age is below
    /// `max-age` (RFC 9111, 4.2). So that it is fresh for `maxAge` more seconds wherever it arrives, its age is added; a
    /// constant would have it arrive stale once the catalogue is older than that. No directive goes beyond the age at which
    /// the graph itself would stop to serve the catalogue that way.
    ///
    /// nginx takes `max-age` and does not look at `Age`; `X-Accel-Expires`, which it keeps to itself, tells it how much
    /// is left. It would also make nginx keep what is private.
    func head(for answer: ProductsAnswer, age: Int) throws(HTTPHeaderError) -> HTTPHeaderBlock {
        let windows = answer.freshness.map { Windows($0, of: answer.snapshot) }
        let more = min(Int(maxAge.components.seconds), Self.longest)
        let limit = min(age + more, windows?.servable ?? .max)
        var value = "\(scope.rawValue), max-age=\(limit)"
        if let windows {
            value += ", stale-while-revalidate=\(max(0, windows.revalidating - limit))"
            value += ", stale-if-error=\(max(0, windows.failing - limit))"
        }
        var head = HTTPHeaderBlock()
        try head.append("Cache-Control", value)
        if scope == .public { head.append("X-Accel-Expires", number: max(0, limit - age)) }
        return head
    }

    /// Up to which age, in seconds, the graph serves a snapshot.
    private struct Windows {
        /// At all.
        let servable: Int
        /// While it is refreshed.
        let revalidating: Int
        /// While its refresh fails.
        let failing: Int

        init(_ freshness: Freshness, of snapshot: ProductsSnapshot) {
            /// Whole seconds, of which a sum of dates may miss the last bit.
            func age(at moment: Date) -> Int {
                max(0, Int((moment.timeIntervalSince(snapshot.fetchedAt) + 0.001).rounded(.down)))
            }
            servable = age(at: freshness.servableUntil)
            revalidating = age(at: freshness.freshUntil.advanced(by: freshness.staleWhileRevalidate / .seconds(1)))
            failing = age(at: freshness.freshUntil.advanced(by: freshness.staleIfError / .seconds(1)))
        }
    }
}

extension CacheControl {
    /// Creates the header. A response that varies is private unless the config says otherwise: a shared cache need not
    /// know of audiences.
    package init(scope: CacheScope?, maxAge: Duration, _ variance: AnswerVariance) {
        self.init(scope: scope ?? (variance.isNone ? .public : .private), maxAge: maxAge)
    }
}

/// The `Cache-Status` header (RFC 9211) of an answer.
enum CacheStatus {
    /// The header's value at a moment.
    static func value(for answer: ProductsAnswer, at now: Date) -> String {
        guard let freshness = answer.freshness else { return "larder; fwd=bypass" }
        switch freshness.verdict {
        case .hit:
            let left = freshness.freshUntil.timeIntervalSince(answer.snapshot.reckoned(at: now))
            let ttl = Int(left.rounded(.down))
            return "larder; hit; ttl=\(ttl)" + (freshness.isOffline ? "; detail=offline" : "")
        case .forwarded(let reason, let status, let stored):
            return "larder; fwd=\(token(for: reason))" + (status.map { "; fwd-status=\($0)" } ?? "")
                + (stored ? "; stored" : "; detail=stale-if-error")
        }
    }

    private static func token(for reason: Freshness.ForwardReason) -> String {
        switch reason {
        case .miss: "uri-miss"
        case .stale: "stale"
        case .bypass: "bypass"
        }
    }
}
