import FoundationEssentials
import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite("The memo of heads")
struct HeadMemoTests {
    private let memo = HeadMemo()
    private let made = Shared(0)

    private func ask(
        second: Int = 1, modified: Int = 1, fetchedAt: Double, _ form: AnswerForm = .whole(.identity)
    ) throws -> String? {
        let key = HeadMemo.Key(
            form: form, second: second, modified: modified, fetchedAt: Date(timeIntervalSince1970: fetchedAt),
            freshness: nil)
        return try memo.head(for: key) {
            made.withLock { $0 += 1 }
            var head = HTTPHeaderBlock()
            try head.append("X-Of", "\(second) \(Int(fetchedAt))")
            return head
        }.first("X-Of")
    }

    @Test("Variants that alternate have one head each, made once within a second")
    func alternating() throws {
        for _ in 0..<10 {
            for fetchedAt in 0..<3 { #expect(try ask(fetchedAt: Double(fetchedAt)) == "1 \(fetchedAt)") }
        }
        #expect(made.withLock { $0 } == 3)
    }

    @Test("A 304 has a head of its own, and so has each coding")
    func forms() throws {
        for _ in 0..<3 {
            for form in [AnswerForm.whole(.identity), .whole(.gzip), .notModified] { _ = try ask(fetchedAt: 1, form) }
        }
        #expect(made.withLock { $0 } == 3)
    }

    @Test("The next second all are made anew")
    func nextSecond() throws {
        for second in [1, 2, 2, 3] { #expect(try ask(second: second, fetchedAt: 7) == "\(second) 7") }
        #expect(made.withLock { $0 } == 3)
    }

    @Test("Of many variants the heads that were made first are made again")
    func many() throws {
        for fetchedAt in 0..<100 { _ = try ask(fetchedAt: Double(fetchedAt)) }
        _ = try ask(fetchedAt: 99)
        #expect(made.withLock { $0 } == 100)
        _ = try ask(fetchedAt: 0)
        #expect(made.withLock { $0 } == 101)
    }
}
