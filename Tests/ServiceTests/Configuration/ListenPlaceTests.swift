import Configuration
import EventLoop
import Glibc
import HTTPServer
import Testing

@testable import Service

@Suite struct ListenPlaceTests {
    private func places(_ listen: String) throws -> [ListenPlace] {
        try ServiceSettings.loaded(makeConfiguration("http: { listen: \(listen) }")).service.http.listen
    }

    @Test func `a place is an address, a Unix socket or one of systemd, or a list of them`() throws {
        let tcp = ListenPlace.tcp(NetworkAddress(host: "::", port: 8080))
        #expect(try places("\"[::]:8080\"") == [tcp])
        #expect(try places("unix:/run/l.sock") == [.unix(path: "/run/l.sock", mode: 0o660, owner: nil, group: nil)])
        #expect(try places("systemd") == [.systemd(name: nil)])
        #expect(try places("systemd:shop") == [.systemd(name: "shop")])
        let unix = ListenPlace.unix(path: "/run/l.sock", mode: 0o600, owner: 0, group: 7)
        #expect(
            try places("[\"[::]:8080\", { unix: /run/l.sock, mode: \"0600\", owner: root, group: \"7\" }]") == [
                tcp, unix,
            ])
        #expect(
            try ServiceSettings.loaded(makeConfiguration("")).service.http.listen.map(\.description) == ["[::]:8080"]
        )
    }

    @Test(arguments: [
        ("unix:run/l.sock", "\"listen\": expected a path like unix:/run/larder.sock, found \"unix:run/l.sock\""),
        ("[]", "\"listen\": expected from 1 to 16 places, found 0"),
        ("8080", "\"listen\": "),
        ("{ unix: /run/l.sock, mode: \"0999\" }", "\"mode\": expected permissions like \"0660\", found \"0999\""),
        ("{ unix: /run/l.sock, mode: \"01777\" }", "\"mode\": expected permissions like \"0660\", found \"01777\""),
        ("{ unix: /run/l.sock, owner: no-such-user }", "\"owner\": this machine has no \"no-such-user\""),
        ("{ unix: /run/l.sock, modes: \"0600\" }", "unknown key \"modes\""),
    ])
    func `a mistake is named at its place`(listen: String, message: String) {
        let problems = problems(makeConfiguration("http: { listen: \(listen) }"))
        #expect(problems.count == 1)
        #expect(problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `sockets of systemd are found by their names`() {
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "shop:admin"]
        let sockets = InheritedSockets(environment: environment)
        #expect(ListenPlace.systemd(name: nil).addresses(sockets) == [.inherited(3), .inherited(4)])
        #expect(ListenPlace.systemd(name: "admin").addresses(sockets) == [.inherited(4)])
        #expect(ListenPlace.systemd(name: "other").addresses(sockets) == [])
        #expect(InheritedSockets(environment: environment.merging(["LISTEN_PID": "1"]) { $1 }).sockets.isEmpty)
        #expect(InheritedSockets(environment: environment.merging(["LISTEN_FDS": "-1"]) { $1 }).sockets.isEmpty)
    }
}
