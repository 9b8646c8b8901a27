internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Health
internal import Logging
internal import ServiceLifecycle

/// Reports a certificate that ends soon or has ended, and logs it once; the end of the trouble is another certificate.
struct CertificateWatch: Service, TroubleReporting {
    /// The time before the end from which on it is a trouble, as in the alert `LarderCertificateExpiring`.
    static let notice = Duration.seconds(7 * 86400)
    private static let pause = Duration.seconds(60)
    private static let lines = TroubleBook.Lines(
        begin: "the certificate has to be replaced", end: "the certificate was replaced")

    /// The end of the certificate for new connections, in seconds since 1970; nil for plain HTTP.
    let validUntil: @Sendable () -> Int64?
    let logger: Logger
    let wallClock: WallClock
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let book = TroubleBook(wallClock: wallClock, logger: logger)
            repeat {
                book.record(.certificate, troubles.first?.cause, lines: Self.lines)
            } while (try? await clock.sleep(for: Self.pause)) != nil
        }
    }

    var troubles: [Trouble] {
        guard let end = validUntil().map({ Date(timeIntervalSince1970: TimeInterval($0)) }) else { return [] }
        let left = end.timeIntervalSince(wallClock.now())
        guard left < Self.notice / .seconds(1) else { return [] }
        let text = end.formatted(.iso8601)
        if left <= 0 { return [Trouble(.certificate, cause: "it ended at \(text)", since: end)] }
        let days = Int(left / 86400)
        let time = days == 1 ? "1 day" : "\(days) days"
        return [
            Trouble(.certificate, cause: "it ends at \(text), in \(time)", since: end.advanced(by: .zero - Self.notice))
        ]
    }
}
