import FileSystem
import TestSupport

/// A config that holds a secret in each place that is for one, all of them different, and asks one upstream with each.
struct PlantedSecrets {
    /// A way to give an `http` node a secret.
    private struct Place {
        let secret: String
        let auth: String
        let request: String
        /// What follows the way.
        let path: String
        /// What follows the host of the base URL.
        let base: String

        init(_ secret: String, auth: String = "", request: String = "", path: String = "", base: String = "") {
            (self.secret, self.auth, self.request, self.path, self.base) = (secret, auth, request, path, base)
        }
    }

    /// The variables of the process that needs the secrets.
    let environment: [String: String]
    /// The texts that must not appear in any output.
    let secrets: [String]
    /// The secrets that reach the upstream, which has them to repeat.
    let told: [String]
    private let places: [Place]

    init(in directory: TemporaryDirectory) throws {
        func planted(_ name: String) -> String { "planted-\(name)-\(UInt32.random(in: 0...UInt32.max))" }
        func file(_ name: String) throws -> String {
            let secret = planted("\(name)-file")
            try Files.create(directory(name), Array("\(secret)\n".utf8))
            return secret
        }
        let variables = Dictionary(
            uniqueKeysWithValues: [
                "TOKEN", "PASSWORD", "VALUE", "FIELD", "PARAMETER", "PATH_KEY", "BASE_KEY", "GOOGLE",
                "PROXY",
            ].map {
                ($0, planted($0))
            })
        let plain = (field: planted("plain-field"), token: planted("plain-token"))
        places = [
            Place(variables["TOKEN"] ?? "", auth: "type: bearer, token: \"${TOKEN}\""),
            Place(try file("token"), auth: "type: bearer, token_file: \"\(directory("token"))\""),
            Place(plain.token, auth: "type: bearer, token: \(plain.token)"),
            Place(variables["PASSWORD"] ?? "", auth: "type: basic, username: larder, password: \"${PASSWORD}\""),
            Place(
                try file("password"),
                auth: "type: basic, username: larder, password_file: \"\(directory("password"))\""),
            Place(variables["VALUE"] ?? "", auth: "type: header, name: X-Key, value: \"${VALUE}\""),
            Place(try file("value"), auth: "type: header, name: X-Key, value_file: \"\(directory("value"))\""),
            Place(variables["FIELD"] ?? "", request: "headers: { X-Api-Key: \"${FIELD}\" }"),
            Place(plain.field, request: "headers: { X-Api-Key: \(plain.field) }"),
            Place(variables["PARAMETER"] ?? "", request: "parameters: { api_key: \"${PARAMETER}\" }"),
            Place(variables["PATH_KEY"] ?? "", path: "/${PATH_KEY}/products"),
            Place(variables["BASE_KEY"] ?? "", base: "/${BASE_KEY}"),
        ]
        environment = variables
        let coded = places.filter { $0.auth.contains("basic") }.map { Self.base64("larder:\($0.secret)") }
        secrets =
            places.map(\.secret) + coded + ["GOOGLE", "PROXY"].compactMap { variables[$0] }
            + [Self.base64("larder:\(variables["PROXY"] ?? "")")]
        told = places.filter { !$0.auth.contains("basic") }.map(\.secret) + coded + [variables["GOOGLE"] ?? ""]
    }

    /// The file, which has every place ask in every way.
    func write(upstreamPort: Int, in directory: TemporaryDirectory) throws -> String {
        try Files.create(
            directory("bundled.json"),
            Array(#"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}]"#.utf8))
        // Once the echoing upstream is the proxy, and once a port without a listener.
        let proxied = [upstreamPort, 1].map { port in
            "{ type: http, request: { base_url: \"http://shop.invalid\" }, "
                + "proxy: \"http://larder:${PROXY}@127.0.0.1:\(port)\" }"
        }
        let nodes =
            proxied
            + places.flatMap { place in
                EchoingUpstream.ways.map { node(place, way: $0, port: upstreamPort) }
            }
        let yaml = """
            log: { level: trace }
            http: { listen: "127.0.0.1:0", threads: 1, access_log: all, drain: { delay: 1ms, deadline: 10s } }
            admin: { listen: "127.0.0.1:0" }
            stores: { disk: { type: json_file, directory: "\(directory("store"))" } }
            analytics:
              google:
                type: google_analytics
                measurement_id: G-ABC1234567
                api_secret: "${GOOGLE}"
                endpoint: "http://127.0.0.1:\(upstreamPort)/collect"
            providers:
              bundled: { type: file, path: "\(directory("bundled.json"))" }
              all: { type: merge, on_failure: omit, providers: [\(nodes.joined(separator: ", ")), bundled] }
              shown: { type: analytics, sink: google, event: products_shown, upstream: all }
              kept: { type: caching, store: disk, upstream: shown }
              storefront: { type: memory, ttl: 1ms, hold_off: 1ms, upstream: kept }
            serve: storefront
            """
        let path = directory("secrets.yaml")
        try Files.create(path, Array(yaml.utf8))
        return path
    }

    /// The secrets that a text holds, as they are or turned around.
    func leaks(in text: String) -> [String] {
        secrets.filter { text.contains($0) }
    }

    private func node(_ place: Place, way: String, port: Int) -> String {
        let auth = place.auth.isEmpty ? "" : ", auth: { \(place.auth) }"
        let request = place.request.isEmpty ? "" : ", \(place.request)"
        let url = "base_url: \"http://127.0.0.1:\(port)\(place.base)\", path: \"/\(way)\(place.path)\""
        return "{ type: http, request: { \(url)\(request) }\(auth) }"
    }

    private static func base64(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        var coded = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for place in 0..<4 {
                coded.append(place <= group.count ? digits[number >> (18 - 6 * place) & 63] : "=")
            }
        }
        return coded
    }
}
