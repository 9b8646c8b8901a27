package import Concurrency
package import FoundationEssentials
package import HTTPServer
package import OpenAPI
package import Products

/// Trait of handlers whose responses state the freshness of their catalogue, and how long caches may keep them.
package protocol FreshnessResponding {
    var wallClock: WallClock { get }
    var cacheControl: CacheControl { get }
    /// The surrogate keys for delivery networks; usually nil.
    var surrogateKeys: SurrogateKeys? { get }
    /// The request headers by which responses vary.
    var variance: ResponseVariance { get }
}

extension FreshnessResponding {
    /// The head of a product response, made once a second for each freshness.
    package func head(
        of found: some FoundResponse, as form: ResponseForm, from answer: ProductsAnswer, in encoded: EncodedListing
    ) throws -> HTTPHeaderBlock {
        let now = wallClock.now()
        let key = HeaderCache.Key(
            form: form, second: Int(now.timeIntervalSince1970), modified: encoded.lastModified.seconds,
            fetchedAt: answer.snapshot.fetchedAt, checkedAt: answer.snapshot.checkedAt, freshness: answer.freshness)
        return try found.head(for: key, in: encoded) {
            var head = try tagless(form, answer, encoded.lastModified, at: now)
            if case .whole = form, let language = found.representation.language {
                try head.append("Content-Language", language)
            }
            return head
        }
    }

    /// All fields but the tag. A 304 has the caching fields of the 200, and none about its bytes.
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
        try head.append("Cache-Control", cacheControl.value(for: answer, at: now))
        head.append(variance.head)
        try head.append("Cache-Status", CacheStatus.value(for: answer, at: now))
        return head
    }

    /// The header fields of product responses.
    package var freshFields: [ResponseHeader] {
        [.entityTag, .lastModified, .cacheControl, .cacheStatus, .vary]
            + (surrogateKeys.map { [$0 == .cacheTag ? .cacheTag : .surrogateKey] } ?? [])
    }
}

/// The caches that may keep a response, as named in `Cache-Control`.
package enum CacheScope: String, Sendable, CaseIterable {
    case `public`, `private`
}

/// Makes `Cache-Control`: the config's scope and `max_age`, with the graph's windows (RFC 5861).
package struct CacheControl: Sendable {
    let scope: CacheScope
    let maxAge: Duration
    /// The greatest age that caches have to understand (RFC 9111, 1.2.2).
    private static let longest = Int(Int32.max)

    package init(scope: CacheScope, maxAge: Duration) {
        self.scope = scope
        self.maxAge = maxAge
    }

    /// The value for an answer at a given time.
    ///
    /// Every response is fresh for `maxAge` on arrival, however old its catalogue is, and has no `Age`. Many caches and
    /// clients ignore `Age`, so a `max-age` that included it would have them keep a response for as long as the source
    /// was away. `Cache-Status` states the age. No directive outlasts the graph's own windows.
    func value(for answer: ProductsAnswer, at now: Date) -> String {
        let windows = answer.freshness.map { Windows($0, at: answer.snapshot.reckoned(at: now)) }
        let limit = min(Int(maxAge.components.seconds), Self.longest, windows?.servable ?? .max)
        let value = "\(scope.rawValue), max-age=\(limit)"
        guard let windows else { return value }
        return value + ", stale-while-revalidate=\(max(0, windows.revalidating - limit))"
            + ", stale-if-error=\(max(0, windows.failing - limit))"
    }

    /// The seconds for which the graph may still serve a snapshot: at all, during a refresh, and after a failed one.
    private struct Windows {
        let servable: Int
        let revalidating: Int
        let failing: Int

        init(_ freshness: Freshness, at now: Date) {
            /// Whole seconds; a sum of dates may be off by the last bit.
            func left(until moment: Date) -> Int {
                max(0, Int((moment.timeIntervalSince(now) + 0.001).rounded(.down)))
            }
            let freshUntil = min(freshness.freshUntil, freshness.membersFreshUntil ?? .distantFuture)
            servable = left(until: freshness.servableUntil)
            revalidating = left(until: freshUntil + freshness.revalidatingSeconds)
            failing = left(until: min(freshness.servableUntil, freshUntil + freshness.failingSeconds))
        }
    }
}

/// Tags responses with their products, so that a delivery network can purge them selectively.
///
/// A list has the keys `products` and `rev-` with the first digits of the revision; a product has `products` and
/// `product-` with its id, where that is a token.
package enum SurrogateKeys: String, Sendable, CaseIterable {
    /// Separated by spaces, for Fastly and Varnish.
    case surrogateKey = "surrogate-key"
    /// Separated by commas, for Cloudflare and Akamai.
    case cacheTag = "cache-tag"

    /// The longest id of a key.
    private static let longestID = 200

    /// - Parameter id: the id of the only product; nil for a list.
    package func append(to head: inout HTTPHeaderBlock, revision: String, id: String? = nil) {
        var keys = ["products"]
        if let id {
            if Self.isToken(id) { keys.append("product-\(id)") }
        } else {
            keys.append("rev-\(revision.prefix(8))")
        }
        let (name, separator) = self == .cacheTag ? ("Cache-Tag", ",") : ("Surrogate-Key", " ")
        do {
            try head.append(name, keys.joined(separator: separator))
        } catch {
            assertionFailure("a token can be in a header: \(error)")
        }
    }

    private static func isToken(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                return isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}

/// The `Cache-Status` header (RFC 9211) of an answer.
package enum CacheStatus {
    private static let pinned = "; detail=pinned"

    /// The header's value at a given time: the entries of the caches before this one, of this one, and of an overlay.
    package static func value(for answer: ProductsAnswer, at now: Date) -> String {
        let before = answer.snapshot.source?.cacheStatus ?? ""
        let age = "; age=\(answer.snapshot.age(at: now).components.seconds)"
        return (before.isEmpty ? "" : before + ", ") + catalogue(of: answer, at: now) + age
            + overlay(of: answer, at: now)
    }

    /// The detail for a source that marks its own answer as stale; empty otherwise.
    private static func source(of answer: ProductsAnswer) -> String {
        answer.snapshot.source?.staleness.map { "; detail=source-\($0.rawValue)" } ?? ""
    }

    /// The entry for the catalogue.
    private static func catalogue(of answer: ProductsAnswer, at now: Date) -> String {
        guard let freshness = answer.freshness else { return "larder; fwd=bypass" + source(of: answer) }
        switch freshness.verdict {
        case .hit:
            let left = freshness.freshUntil.timeIntervalSince(answer.snapshot.reckoned(at: now))
            let ttl = Int(left.rounded(.down))
            let detail = freshness.state(at: now) == .offline ? "; detail=offline" : source(of: answer)
            return "larder; hit; ttl=\(ttl)" + (freshness.isPinned ? pinned : detail)
        case .forwarded(let reason, let status, let stored):
            let detail = stored ? source(of: answer) : "; detail=stale-if-error"
            return "larder; fwd=\(token(for: reason))" + (status.map { "; fwd-status=\($0)" } ?? "")
                + (stored ? "; stored" : "") + (freshness.isPinned ? pinned : detail)
        }
    }

    /// The entry, after a comma, for members of an overlay; empty without any.
    private static func overlay(of answer: ProductsAnswer, at now: Date) -> String {
        guard let end = answer.freshness?.membersFreshUntil else { return "" }
        return ", larder-overlay; hit; ttl=\(Int(end.timeIntervalSince(now).rounded(.down)))"
    }

    private static func token(for reason: Freshness.ForwardReason) -> String {
        switch reason {
        case .miss: "uri-miss"
        case .stale: "stale"
        case .bypass: "bypass"
        }
    }
}
