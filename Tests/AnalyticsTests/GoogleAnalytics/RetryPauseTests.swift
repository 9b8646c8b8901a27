internal import Testing

@testable internal import Analytics

struct RetryPauseTests {
    @Test(
        "the longest pause doubles from a second to five minutes",
        arguments: zip([1, 2, 3, 4, 9, 10, 1000], [1, 2, 4, 8, 256, 300, 300]))
    func doubling(failures: Int, seconds: Int) {
        #expect(RetryPause.after(failures: failures, wait: .zero, jitter: 1) == .seconds(seconds))
        #expect(RetryPause.after(failures: failures, wait: .zero, jitter: 0.5) == .seconds(seconds) / 2)
        #expect(RetryPause.after(failures: failures, wait: .zero, jitter: 0) == .zero)
    }

    @Test(
        "what the endpoint asks for is the least, up to an hour", arguments: zip([30, 3600, 86_400], [30, 3600, 3600]))
    func named(wait: Int, seconds: Int) {
        #expect(RetryPause.after(failures: 1, wait: .seconds(wait), jitter: 0.5) == .seconds(seconds))
    }
}
