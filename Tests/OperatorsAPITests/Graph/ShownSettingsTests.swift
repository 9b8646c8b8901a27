import Concurrency
import Configuration
import GraphTools
import JSON
import Serving
import ServingTestSupport
import TestSupport
import Testing

@testable import OperatorsAPI

struct ShownSettingsTests {
    private static let yaml = """
        providers:
          shop:
            type: http
            timeout: 3s
            auth: { type: basic, username: hush-user, password: hush-password }
            pagination: { type: page, size: 50, pages: { header: X-Pages } }
            request:
              base_url: "https://${HOST}/hush-base"
              path: /hush-path
              parameters: { key: hush-parameter }
              headers: { X-Api-Key: hush-header }
        serve: { type: analytics, sink: { type: log }, event: "shown-${WORD}", parameters: { a: hush-map }, upstream: shop }
        """

    private func outline() throws -> ComponentOutline {
        try makeOutline(Self.yaml, environment: ["HOST": "shop.example:8443", "WORD": "hush-word"])
    }

    @Test func `numbers, durations and hosts are shown, in the order of the file`() throws {
        let shop = try #require(try outline().all.first { $0.label == "shop" })
        #expect(
            shop.shownSettings.map { "\($0.name)=\($0.text)" } == [
                "timeout=3s", "request.base_url=https://shop.example:8443",
            ])
        let pages = try #require(try outline().all.first { $0.type == "page" })
        #expect(pages.shownSettings.map { "\($0.name)=\($0.text)" } == ["size=50"])
    }

    @Test func `text from the environment is shown as it is written`() throws {
        #expect(try outline().shownSettings.map { "\($0.name)=\($0.text)" } == ["event=shown-${WORD}"])
    }

    @Test func `a URL is its host alone, without its path`() throws {
        let yaml = Self.yaml.replacing("https://${HOST}/hush-base", with: "http://shop.example:1/a/b")
        let root = try makeOutline(yaml, environment: ["WORD": "w"])
        let shop = try #require(root.all.first { $0.label == "shop" })
        #expect(shop.shownSettings.last?.text == "http://shop.example:1")
    }

    @Test func `nothing that could be a secret is in the graph's JSON or on its page`() throws {
        let root = try outline()
        let moment = ManualWallClock().now
        let wall = WallClock { moment }
        let readiness = ReadinessTracker(wallClock: wall)
        let report = GraphReport(
            ServedGraph(root, config: ConfigIdentity(edition: 1, hash: ""), wallClock: wall), readiness.verdict,
            at: wall.now())
        let shown = "\(JSONValue.object(report.json))" + GraphHTML(report).html
        #expect(!shown.contains("hush"))
        #expect(shown.contains("shop.example"))
    }
}
