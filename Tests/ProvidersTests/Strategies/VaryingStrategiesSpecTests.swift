internal import Configuration
internal import FileSystem
internal import Logging
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// How `audience`, `ab_test` and what stands above them are read from a config.
@Suite(.timeLimit(.minutes(1)))
struct VaryingStrategiesSpecTests {
    private static let file = "{ type: file, path: /none/x }"

    @Test func `a memory keeps apart what varies anywhere below it, and goes on doing so over a reload`() async throws {
        let yaml = """
            { type: memory, upstream: { type: fallback, secondary: \(Self.file), primary: { type: audience, \
            header: X-Tier, cases: { gold: { type: fault, error: refused, upstream: \(Self.file) } }, \
            otherwise: { type: fault, error: timeout, upstream: \(Self.file) } } } }
            """
        let first = try makeProvider(yaml)
        let second = try makeProvider(yaml, replacing: first.assembly)
        for provider in [first.provider, second.provider] {
            for (tier, reason) in [("gold", "refused"), ("bronze", "timeout"), ("gold", "refused")] {
                let failure = await #expect(throws: ProductsFailure.self) {
                    try await provider.products(for: ProductsRequest(headers: ["x-tier": tier]))
                }
                guard case .unavailable(reason, _, _)? = failure else {
                    Issue.record("\(tier): \(String(describing: failure))")
                    continue
                }
            }
        }
    }

    @Test
    func `an audience from the environment is matched by its value, and told by the name of the variable`() async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        try Files.create(path, makeBody())
        let file = "{ type: file, path: \(path) }"
        let yaml = "{ type: audience, header: X-Key, cases: { \"${PARTNER_KEY}\": \(file) }, otherwise: \(file) }"
        let provider = try makeProvider(yaml, environment: ["PARTNER_KEY": "s3cret"]).provider
        for (key, step) in [("s3cret", "p: ${PARTNER_KEY}"), ("${PARTNER_KEY}", "p: otherwise")] {
            let answer = try await provider.products(for: ProductsRequest(headers: ["x-key": key]))
            #expect(answer.steps.last == step)
        }
    }

    @Test(arguments: [
        ("", "b", "timeout"), ("", "a", "file: fetched, p: a"),
        (", failover: true", "b", "p: timeout, file: fetched, p: a"),
    ])
    func `a failure of an arm passes through unless failover is on`(setting: String, arm: String, expected: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        try Files.create(path, makeBody())
        let made = try makeProvider(
            """
            { type: ab_test, experiment: e, arm: X-Arm\(setting), a: { type: file, path: \(path) }, \
            b: { type: fault, error: timeout } }
            """)
        let request = ProductsRequest(headers: ["x-arm": arm])
        let outcome: String
        do {
            outcome = try await made.provider.products(for: request).steps.joined(separator: ", ")
        } catch {
            outcome = "\(ProductsFailure(error).token)"
        }
        #expect(outcome == expected)
    }

    @Test func `exposures are told once, also over a reload that leaves the experiment as it is`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        try Files.create(path, makeBody())
        let log = LogRecorder()
        let resources = makeResources(log)
        let yaml = { (share: String) in
            """
            { type: ab_test, experiment: banner, subject: X-User, share_a: \(share), sink: { type: log }, \
            a: { type: file, path: \(path) }, b: { type: file, path: \(path) } }
            """
        }
        var assembly: Assembly?
        for share in ["0.5", "0.5", "0.6"] {
            let made = try makeProvider(yaml(share), resources: resources, replacing: assembly)
            assembly = made.assembly
            for subject in ["u1", "u1", "u3"] {
                _ = try await made.provider.products(for: ProductsRequest(headers: ["x-user": subject]))
            }
        }
        await assembly?.shutDown()
        let exposures = log.seenLines.filter { $0.metadata["event"] == "experiment_exposure" }
        #expect(exposures.map { $0.metadata["parameters.arm"] } == ["b", "a", "b", "a"])
    }
}
