import FileSystem
import Networking
import TestSupport
import Testing

/// An example config for a way to compose the graph.
struct Composition: Sendable, CustomTestStringConvertible {
    static let audience = Composition(name: "audience")
    static let optOut = Composition(name: "opt-out")
    static let abTest = Composition(
        name: "ab-test", others: ["LARDER_PARTNER_URL"], secret: "LARDER_PARTNER_TOKEN_FILE")
    static let resilient = Composition(name: "resilient")
    static let merged = Composition(name: "merged", others: ["LARDER_SECOND_UPSTREAM_URL"])

    static let googleAnalytics = Composition(name: "google-analytics", secret: "LARDER_GOOGLE_SECRET_FILE")

    static let all = [audience, optOut, abTest, resilient, merged, googleAnalytics]
    static let token = "partner-token-1"

    let name: String
    /// The variables for further upstreams.
    var others: [String] = []
    /// The variable for the file with the token.
    var secret: String?

    var testDescription: String { name }

    var config: String { "\(Repository.root)/config/examples/\(name).yaml" }

    /// What has to be told.
    var needed: Set<String> { Set(others + ["LARDER_UPSTREAM_URL"] + (secret.map { [$0] } ?? [])) }

    /// All that the config is to be told.
    /// - Parameter upstreams: the first one's root, and that of the other one, if there is one.
    func environment(upstreams: [String], in directory: TemporaryDirectory) throws -> [String: String] {
        var environment = [
            "LARDER_DATA": directory("data"), "LARDER_LISTEN": "127.0.0.1:0", "LARDER_ADMIN": "127.0.0.1:0",
        ]
        for (variable, upstream) in zip(["LARDER_UPSTREAM_URL"] + others, upstreams) {
            environment[variable] = upstream
        }
        if let secret {
            environment[secret] = directory("token-\(UInt64.random(in: 0...UInt64.max))")
            try Files.create(environment[secret] ?? "", Array("\(Self.token)\n".utf8))
        }
        return environment
    }
}
