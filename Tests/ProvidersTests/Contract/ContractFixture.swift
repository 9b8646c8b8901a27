@testable internal import Decoding
internal import EventLoop
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

@testable internal import Providers

/// What the makers of the table are given: clocks, a log, a client, and an object whose end the suite watches.
final class ContractFixture: Sendable {
    let wall = ManualWallClock()
    let clock = ManualClock()
    let log = LogRecorder()
    let client: HTTPClient
    let directory: TemporaryDirectory
    private let isReleased = Observed(false)

    init(client: HTTPClient) throws {
        self.client = client
        directory = try TemporaryDirectory()
    }

    /// The scripted upstream of a strategy or decorator. The provider must be the only one that goes on holding it.
    func makeUpstream() -> ScriptedProvider {
        ScriptedProvider(onDeinit: { [isReleased] in isReleased.update { $0 = true } })
    }

    /// The decoder of a source, watched in the same way.
    func makeDecoder() -> CountingDecoder {
        CountingDecoder(onDeinit: { [isReleased] in isReleased.update { $0 = true } })
    }

    /// Returns as soon as the watched object is gone.
    func waitForRelease() async {
        await isReleased.wait { $0 }
    }

    /// Advances the clocks so far that every kept answer has to be refreshed.
    func pass() {
        clock.advance(by: .seconds(300))
        wall.advance(by: .seconds(300))
    }
}
