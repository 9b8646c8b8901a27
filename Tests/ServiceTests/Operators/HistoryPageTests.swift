@testable import OperatorsAPI
import FoundationEssentials
import JSON
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HistoryPageTests {
    @Test func `the page runs nothing but its own script, and loads nothing from elsewhere`() async throws {
        try await OrderedService.with { service in
            let page = try await service.order("/history.html", method: "GET")
            #expect(page.status == 200)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page["X-Content-Type-Options"] == "nosniff")
            let policy = try #require(page["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
            #expect(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"))
            for part in [HistoryHTML.script, HistoryHTML.style, GraphHTML.style] {
                #expect(page.text.contains(">\(part)</"))
                #expect(policy.contains("'\(GraphHTML.hash(of: part))'"))
            }
            #expect(page.text.ranges(of: "<script").count == 1 && page.text.ranges(of: "<style").count == 2)
            for outside in [" src=", "://", "@import", "url(", " style=", " onclick=", "<form"] {
                #expect(!page.text.contains(outside), "\(outside)")
            }
            for path in ["/", "/graph.html"] {
                let linking = try await service.order(path, method: "GET").text
                #expect(linking.contains("href=\"/history.html\""), "\(path)")
            }
        }
    }

    @Test(arguments: [[], ["disk"], ["disk", "remote.<b>"]])
    func `a store is chosen where there are several, and the only one is named`(stores: [String]) {
        let page = HistoryHTML.html(stores: stores, shown: stores.last)
        #expect(page.contains("<select id=\"store\">") == (stores.count > 1))
        #expect(page.ranges(of: "id=\"store\"").count == 1)
        switch stores.count {
        case 0: #expect(page.contains("no store that keeps generations"))
        case 1: #expect(page.contains("id=\"store\" value=\"disk\">store <strong>disk</strong>"))
        default:
            #expect(page.contains("<option>disk</option><option selected>remote.&lt;b&gt;</option>"))
        }
    }

    @Test func `texts of catalogues and operators come as JSON only, and the script makes no HTML of them`()
        async throws
    {
        let hostile = "<img src=x onerror=alert(1)>"
        try await OrderedService.with { service in
            let before = try await service.order("/history.html", method: "GET").text
            for names in [[hostile], ["\(hostile)2", hostile]] {
                try service.shelf.publish(names)
                _ = try await service.order("/refresh")
            }
            let pin = "/pin?generation=1&reason=%3Cimg%20src=x%20onerror=alert(1)%3E"
            #expect(try await service.order(pin).status == 200)
            #expect(try await service.order("/history.html", method: "GET").text == before)
            for path in ["/history", "/diff?from=1&to=newest"] {
                let answer = try await service.order(path, method: "GET")
                #expect(answer.text.contains(hostile))
                #expect(answer["Content-Type"] == "application/json")
            }
            let graph = try await service.order("/graph.html", method: "GET").text
            #expect(graph.contains("&lt;img src=x onerror=alert(1)&gt;") && !graph.contains(hostile))
        }
        let sinks = [
            "innerHTML", "outerHTML", "insertAdjacent", "write(", "Fragment", "eval", "Function(", "DOMParser",
            "setAttribute", "javascript:", ".href", ".src", "srcdoc", "localStorage", "sessionStorage", "cookie",
        ]
        for sink in sinks { #expect(!HistoryHTML.script.contains(sink), "\(sink)") }
    }

    @Test func `the page's own orders are taken from this machine, and those of other pages are not`() async throws {
        try await OrderedService.with { service in
            try service.shelf.publish(["Mug"])
            _ = try await service.order("/refresh")
            let own = "Origin: http://localhost:\(service.adminPort)\r\n"
            #expect(try await service.order("/pin?generation=1", own).status == 200)
            let modern = "\(own)Sec-Fetch-Site: same-origin\r\n"
            #expect(try await service.order("/unpin?confirm=1", modern).status == 200)
            for other in ["http://localhost:1", "https://shop.example", "null"] {
                #expect(try await service.order("/pin?generation=1", "Origin: \(other)\r\n").status == 403)
            }
            let history = try await service.show("/history")
            #expect(history["pin"] == .null)
        }
    }
}
