import TestSupport

/// An upstream that fails in every possible way, and repeats the whole request in each failure.
enum EchoingUpstream {
    /// The first part of the path, which chooses the way.
    static let ways = ["status", "reason", "redirect", "html", "kind", "member", "garbage", "truncated", "header"]

    static func start() -> ScriptedUpstream {
        ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let told = head.split(whereSeparator: \.isNewline).joined(separator: " | ")
                guard answer(connection, way: way(of: head), told) else { return }
            }
        }
    }

    private static func way(of head: String) -> String {
        let target = head.split(separator: " ").dropFirst().first ?? "/"
        return String(target.dropFirst().prefix { $0 != "/" && $0 != "?" })
    }

    /// Whether the connection stays.
    private static func answer(_ connection: UpstreamConnection, way: String, _ told: String) -> Bool {
        let quoted = "\"" + told.split(separator: "\"").joined(separator: "'") + "\""
        switch way {
        case "status": connection.respond(status: "401 No", headers: "WWW-Authenticate: \(told)\r\n", body: told)
        case "reason": connection.respond(status: "500 \(told)", body: told)
        case "redirect":
            let place = told.split(separator: " ").joined(separator: "+")
            connection.respond(status: "302 Found", headers: "Location: http://\(place)@127.0.0.1:1/?\(place)\r\n")
        case "html": connection.respond(headers: "Content-Type: text/html\r\n", body: "<html>\(told)</html>")
        case "kind": connection.respond(body: "[{\"type\":\(quoted)}]")
        case "member": connection.respond(body: "[{\"type\":\"physical\",\"id\":\(quoted),\"name\":{\(quoted):1}}]")
        case "garbage": connection.respond(body: told)
        case "truncated":
            connection.write("HTTP/1.1 200 \(told)\r\nContent-Length: 100000\r\n\r\n\(told)")
            return false
        case "header":
            connection.write("HTTP/1.1 200 OK\r\n\(told)\r\nContent-Length: \(told)\r\n\r\n")
            return false
        default: connection.respond(status: "500 No", body: told)
        }
        return true
    }
}
