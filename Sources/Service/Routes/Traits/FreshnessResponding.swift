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
        of encoded: EncodedAnswer, as form: AnswerForm, from answer: ProductsAnswer, lastModified: LastModified
    ) throws -> HTTPHeaderBlock {
        try memoised(by: encoded.headMemo, form, answer, lastModified) { now in
            encoded.representation.tagHead.followed(by: try tagless(form, answer, lastModified, at: now))
        }
    }

    /// The same for one of many representations whose heads differ in the tag alone: the memo keeps what is common.
    func head(
        of representation: Representation, as form: AnswerForm, from answer: ProductsAnswer,
        lastModified: LastModified, sharing memo: HeadMemo
    ) throws -> HTTPHeaderBlock {
        let common = try memoised(by: memo, form, answer, lastModified) { now in
            try tagless(form, answer, lastModified, at: now)
        }
        return representation.tagHead.followed(by: common)
    }

    private func memoised(
        by memo: HeadMemo, _ form: AnswerForm, _ answer: ProductsAnswer, _ lastModified: LastModified,
        make: (Date) throws -> HTTPHeaderBlock
    ) throws -> HTTPHeaderBlock {
        let now = resource.wallClock.now()
        let second = Int(now.timeIntervalSince1970)
        let key = HeadMemo.Key(
            form: form, second: second, modified: lastModified.seconds, fetchedAt: answer.snapshot.fetchedAt,
            freshness: answer.freshness)
        return try memo.head(for: key) { try make(now) }
    }

    /// A 304 does not describe the bytes that it does not have, because a cache would take that for a description of the
    /// bytes it has.
    private func tagless(
        _ form: AnswerForm, _ answer: ProductsAnswer, _ lastModified: LastModified, at now: Date
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
