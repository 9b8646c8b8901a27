import Testing

@testable import Service

@Suite("A bad service section")
struct BadServiceConfigurationTests {
    @Test(
        "One problem is one line with its position",
        arguments: [
            ("http: { tiles: 3 }", "1:9: error: unknown key \"tiles\" in \"http\""),
            ("http: { listn: a:1 }", "1:9: error: unknown key \"listn\" in \"http\"; did you mean \"listen\"?"),
            (
                "http: { listen: here }",
                "1:17: error: \"listen\": bad address \"here\": it has no port; write it like 127.0.0.1:8080, example.com:443 or [::1]:8080"
            ),
            (
                "http: { threads: zero }",
                "1:18: error: \"threads\": bad number \"zero\"; it must be auto or from 1 to 256"
            ),
            ("http: { threads: 0 }", "1:18: error: \"threads\": bad number \"0\"; it must be auto or from 1 to 256"),
            (
                "http: { threads: 257 }",
                "1:18: error: \"threads\": bad number \"257\"; it must be auto or from 1 to 256"
            ),
            (
                "http: { limits: { header_bytes: 0 } }",
                "1:33: error: \"header_bytes\": \"0\" is out of range; it must be from 256 to 1MiB"
            ),
            (
                "http: { cache_control: { max_age: soon } }",
                "1:35: error: \"max_age\": bad duration \"soon\"; write it like 250ms, 5s, 2m or 7d"
            ),
            (
                "http: { cache_control: { scope: shared } }",
                "1:33: error: \"scope\": expected public or private, found \"shared\""
            ),
            (
                "http: { access_log: some }",
                "1:21: error: \"access_log\": expected off, errors or all, found \"some\""
            ),
            (
                "http: { drain: { delay: 30s } }",
                "1:25: error: the drain delay leaves nothing of the deadline; make \"deadline\" the longer one"
            ),
            (
                "http: { drain: { delay: 2s, deadline: 2s } }",
                "1:25: error: the drain delay leaves nothing of the deadline; make \"deadline\" the longer one"
            ),
            (
                "http: { drain: { delay: 30s, deadline: x } }",
                "1:40: error: \"deadline\": bad duration \"x\"; write it like 250ms, 5s, 2m or 7d"
            ),
            (
                "log: { level: loud }",
                "1:15: error: \"level\": expected trace, debug, info, notice, warning, error or critical, found \"loud\""
            ),
            ("popular: { sales_over: many }", "1:24: error: \"sales_over\": expected integer, found \"many\""),
        ])
    func oneProblem(section: String, line: String) {
        #expect(problems(makeConfiguration(section)) == ["c.yaml:\(line)"])
    }

    @Test(
        "Two ports that cannot both be had are one line, which names both",
        arguments: [
            ("http: { listen: shop:81 }\nadmin: { listen: shop:81 }", "2:18", "shop:81", "shop:81"),
            ("http: { listen: 127.0.0.1:9090 }", "1:1", "127.0.0.1:9090", "127.0.0.1:9090"),
            ("admin: { listen: 127.0.0.1:8080 }", "1:18", "127.0.0.1:8080", "0.0.0.0:8080"),
            ("http: { listen: \"[::1]:81\" }\nadmin: { listen: \"[::]:81\" }", "2:18", "[::]:81", "[::1]:81"),
        ])
    func collision(sections: String, place: String, admin: String, products: String) {
        #expect(
            problems(makeConfiguration(sections)) == [
                """
                c.yaml:\(place): error: admin.listen \(admin) and http.listen \(products) cannot both be had; \
                change the port of one
                """
            ])
    }

    @Test(
        "Ports that can both be had are good, or at least not known to be bad",
        arguments: [
            "http: { listen: 127.0.0.1:0 }\nadmin: { listen: 127.0.0.1:0 }",
            "http: { listen: 127.0.0.1:81 }\nadmin: { listen: 127.0.0.2:81 }",
            "http: { listen: 0.0.0.0:81 }\nadmin: { listen: \"[::1]:81\" }",
            "http: { listen: 0.0.0.0:81 }\nadmin: { listen: localhost:81 }",
        ])
    func noCollision(sections: String) {
        #expect(problems(makeConfiguration(sections)) == [])
    }

    @Test("All problems are told, in the order of their positions")
    func allProblems() {
        let lines = problems(makeConfiguration("log: { level: loud }\nhttp: { threads: none, acces_log: off }"))
        #expect(lines.map { $0.prefix(12) } == ["c.yaml:1:15:", "c.yaml:2:18:", "c.yaml:2:24:"])
    }

    @Test("A file that serves nothing is told so")
    func nothingServed() {
        #expect(problems("log: { level: info }") == ["c.yaml:1:1: error: missing \"serve\" at the top level"])
    }
}
