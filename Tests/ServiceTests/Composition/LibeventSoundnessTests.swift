import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite("Starting on a libevent")
struct LibeventSoundnessTests {
    private let log = LogRecorder()

    @Test("One that lacks fixes is warned of, one that could not be tried is told of, a sound one is no news")
    func allowed() throws {
        for soundness in [LibeventSoundness.sound, .unpatched, .untried] { try soundness.check(log.logger) }
        #expect(
            log.lines == [
                "warning: libevent lacks security fixes, update it",
                "notice: libevent could not be tried for its security fixes",
            ])
    }

    @Test("One that is too old keeps the service from starting")
    func refused() {
        let error = #expect(throws: StartError.self) { try LibeventSoundness.tooOld.check(log.logger) }
        let words = error.map { "\($0)" }
        #expect(
            words == "libevent \(HTTPServer.libeventVersion) is too old: it takes 2.1.12-stable or a newer one")
    }
}
