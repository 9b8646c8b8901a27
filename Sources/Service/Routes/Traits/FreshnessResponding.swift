internal import FoundationEssentials
internal import HTTPServer
internal import Products

/// Makes the headers that say how fresh a product answer is.
protocol FreshnessResponding: Sendable {
    var resource: ProductsResource { get }
}

extension FreshnessResponding {
    /// The head of a product answer, made once a second for each freshness when a memo is given.
    func head(
        for representation: Representation, of answer: ProductsAnswer, lastModified: String, memo: HeadMemo? = nil
    ) throws -> HTTPHeaderBlock {
        let now = resource.wallClock.now()
        let second = Int(now.timeIntervalSince1970)
        let key = HeadMemo.Key(second: second, fetchedAt: answer.snapshot.fetchedAt, freshness: answer.freshness)
        guard let memo else { return try newHead(for: representation, of: answer, lastModified: lastModified, at: now) }
        return try memo.head(for: key) {
            try newHead(for: representation, of: answer, lastModified: lastModified, at: now)
        }
    }

    private func newHead(
        for representation: Representation, of answer: ProductsAnswer, lastModified: String, at now: Date
    ) throws -> HTTPHeaderBlock {
        var head: HTTPHeaderBlock = ["Content-Type": "application/json"]
        try head.append("ETag", representation.entityTag)
        try head.append("Last-Modified", lastModified)
        head.append("Age", number: Int(answer.snapshot.age(at: now).components.seconds))
        try head.append("Cache-Control", resource.cacheControl.value(for: answer.freshness))
        head.append(resource.consulted.variance.head)
        try head.append("Cache-Status", CacheStatus.value(for: answer.freshness, at: now))
        return head
    }
}
