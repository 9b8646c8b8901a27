import Concurrency
import FoundationEssentials
import Health
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct CertificateWatchTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    private let pauses = ManualClock()
    private let log = LogRecorder()
    private let end = Shared<Int64?>(nil)

    private func make() -> CertificateWatch {
        CertificateWatch(
            validUntil: { [end] in end.withLock { $0 } }, logger: log.logger,
            wallClock: WallClock { [clock] in clock.now },
            clock: pauses)
    }

    private func ends(inDays days: Int64) {
        end.withLock { $0 = Int64(clock.now.timeIntervalSince1970) + days * 86400 }
    }

    @Test func `a certificate is a trouble from seven days before its end on`() {
        let watch = make()
        #expect(watch.troubles.isEmpty)
        ends(inDays: 7)
        #expect(watch.troubles.isEmpty)
        ends(inDays: 3)
        let since = clock.now.addingTimeInterval(-4 * 86400)
        #expect(
            watch.troubles == [Trouble(.certificate, cause: "it ends at 2027-01-18T08:00:00Z, in 3 days", since: since)]
        )
        clock.advance(by: .seconds(4 * 86400))
        #expect(watch.troubles.first?.cause == "it ended at 2027-01-18T08:00:00Z")
    }

    @Test func `it is logged once, and its renewal too`() async {
        ends(inDays: 3)
        let task = Task { [watch = make()] in try await watch.run() }
        await pauses.waitForSleepers()
        for _ in 0..<3 {
            pauses.advance(by: .seconds(60))
            await pauses.waitForSleepers()
        }
        #expect(log.seen == ["warning: the certificate has to be replaced"])
        ends(inDays: 90)
        pauses.advance(by: .seconds(60))
        await pauses.waitForSleepers()
        #expect(log.seen.last == "notice: the certificate was replaced" && log.seen.count == 2)
        task.cancel()
        _ = await task.result
    }
}
