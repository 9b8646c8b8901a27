import Testing

@testable import Service

@Suite("Accept-Encoding")
struct AcceptedCodingsTests {
    private func choice(_ header: String?) -> AcceptedCodings.Choice { AcceptedCodings(header).choice }

    @Test("Without the header nothing is coded")
    func absent() {
        #expect(choice(nil) == .identity)
    }

    @Test(
        "Gzip it is where it is liked no less than no coding",
        arguments: [
            "gzip", "GZip", "x-gzip", "X-GZIP;q=0.1", "gzip, deflate, br, zstd", "deflate,gzip;q=1.0, *;q=0.5", "*",
            "*;q=0.001", "br;q=1, gzip;q=0.2", "gzip;q=0.5, identity;q=0.5", "gzip \t;\tq=0.8", " gzip ", ",,gzip,",
            "gzip;Q=1", "gzip;q=1.", "gzip;q=0.123", "identity;q=0.5, gzip", "gzip;q=0, gzip;q=1", "gzip;q=0, x-gzip",
        ])
    func gzip(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }

    @Test(
        "No coding it is where gzip is not accepted, or liked less",
        arguments: [
            "", " ", ",", "identity", "br", "deflate, br", "gzip;q=0", "gzip;q=0.000", "x-gzip;q=0", "gzip;q=0, *",
            "gzip;q=0.5, identity", "gzip;q=0.5, *", "gzip;q=0.4, identity;q=0.5", "*;q=0, identity;q=0.1",
            "gzip;q=0, identity;q=0.001", "gzipped", "gzi", "gzip-x", "compress;q=1",
        ])
    func identity(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test(
        "No coding may be excluded, by its name or by all others'",
        arguments: [
            "gzip, identity;q=0", "identity;q=0, *", "*;q=0, gzip;q=0.1", "gzip;q=0.1, *;q=0",
            "IDENTITY; q=0.0, x-gzip",
        ])
    func gzipOnly(header: String) {
        #expect(choice(header) == .gzip(orIdentity: false))
    }

    @Test(
        "Who excludes both is left with nothing",
        arguments: [
            "*;q=0", "identity;q=0", "identity;q=0, gzip;q=0", "identity;q=0, br", "gzip;q=0, *;q=0", "*;q=0.0, br",
        ])
    func nothing(header: String) {
        #expect(choice(header) == .nothing)
    }

    @Test(
        "A weight that is none makes its element count as not there",
        arguments: [
            "gzip;q=2", "gzip;q=1.1", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=", "gzip;q", "gzip;",
            "gzip;q=a", "gzip;q=.5", "gzip;x=1", "gzip;q=1;x=1", "gzip;q =1", "gzip;q= 1", "gzip;q=0,5", "gzip;q=0x1",
            "gzip;q=10", ";q=1", "*;q=2, br",
        ])
    func malformed(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test("A broken exclusion excludes nothing", arguments: ["identity;q=0.0000, gzip", "*;q=00, gzip"])
    func brokenExclusion(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }
}
