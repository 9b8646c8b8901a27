import Testing

@testable import Service

@Suite("Cache-Control")
struct CacheControlTests {
    @Test("The header carries what the config allows, and the windows that the graph keeps")
    func windows() {
        let control = CacheControl(scope: .public, maxAge: .seconds(5))
        #expect(
            control.value(for: makeFreshness()) == "public, max-age=5, stale-while-revalidate=60, stale-if-error=600")
    }

    @Test("Without a provider that keeps answers there are no windows")
    func noWindows() {
        #expect(CacheControl(scope: .private, maxAge: .milliseconds(2500)).value(for: nil) == "private, max-age=2")
    }
}
