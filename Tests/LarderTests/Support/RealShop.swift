import Configuration
import FileSystem
import FoundationEssentials
import JSON
import Networking
import TestSupport

/// A shop's API on loopback that serves a catalogue of `Tests/Catalogues` as `requests.yaml` there describes it: to requests
/// with its key, and in pages of at most three items.
final class RealShop: Sendable {
    /// Without the table there are none, which a test notices.
    static let names = entries.map(\.key)
    /// The shops that ask for a key.
    static let namesWithKey = entries.filter { !($0.value["headers"]?.entries ?? []).isEmpty }.map(\.key)
    private static let entries = (try? requests().entries) ?? []
    static let pageSize = 3

    let name: String
    private let upstream: ScriptedUpstream
    private let api: RealAPI

    init(_ name: String) throws {
        let api = try RealAPI(name, Self.requests()[name])
        self.name = name
        self.api = api
        upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let request = StandInRequest(head: head)
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                guard let body = connection.readBytes(length) else { return }
                let (status, headers, answer) = api.answer(to: request, body)
                connection.respond(status: status, headers: headers, body: answer)
            }
        }
    }

    /// The config of the examples, with this shop in place of the real one, and with its small pages.
    var config: String {
        get throws {
            let text = try Repository.text("config/examples/shops/\(name).yaml")
            return text.replacing(api.origin, with: "http://127.0.0.1:\(upstream.port)", maxReplacements: 2)
                .replacing(/(\W(?:size|limit): "?)\d+/) { "\($0.1)\(Self.pageSize)" }
        }
    }

    /// The variables of the config, with the key of this shop.
    var variables: [String: String] {
        get throws {
            let named = try config.matches(of: /\$\{(LARDER_UPSTREAM_\w+)\}/).map { String($0.1) }
            return Dictionary(named.map { ($0, api.secret(of: $0)) }) { $1 }
        }
    }

    /// The items in the document, and how many pages they are on.
    var items: [JSONValue] { api.items }
    var pageCount: Int { api.isPaged ? max(1, (items.count + Self.pageSize - 1) / Self.pageSize) : 1 }
    var requestCount: Int { upstream.requestHeads.count { $0.contains(api.path) } }

    /// The products that must come of it.
    var expected: [JSONValue] {
        get throws {
            try JSONParser().parse(Array(Repository.text("Tests/Catalogues/\(name)/expected.json").utf8)).array ?? []
        }
    }

    func close() { upstream.stop() }

    private static func requests() throws -> ConfigNode {
        let text = try Repository.text("Tests/Catalogues/requests.yaml")
        return try ConfigDocument.parse(text, file: "requests.yaml", environment: [:]).root
    }
}

/// How an API answers, by a catalogue's entry in `requests.yaml`.
private struct RealAPI: Sendable {
    let origin: String
    let path: String
    let headers: [(name: String, value: String)]
    let items: [JSONValue]
    private let parameters: [String: String]
    private let document: JSONValue
    private let bytes: [UInt8]
    /// The variants of a shop whose list does not have them.
    private let variants: [JSONValue]
    private let list: [String]
    private let pages: ConfigNode?

    var isPaged: Bool { pages != nil }

    init(_ name: String, _ entry: ConfigNode?) throws {
        let url = entry?["url"]?.text ?? ""
        let request = StandInRequest(head: "GET \(url) HTTP/1.1")
        (path, parameters) = (request.path, request.parameters)
        origin = url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        headers = (entry?["headers"]?.entries ?? []).map { ($0.key, $0.value.text ?? "") }
        pages = entry?["pages"]
        list = Self.components(pages?["list"]?.text ?? entry?["within"]?.text ?? "")
        let directory = "\(Repository.root)/Tests/Catalogues/\(name)"
        let file = try Files.list(directory).first { $0.hasPrefix("document.") } ?? "products.json"
        bytes = try Files.read("\(directory)/\(file)")
        var document = file.hasSuffix("json") ? try JSONParser().parse(bytes) : .null
        if let within = entry?["within"]?.text { document = .object(JSONObject([(within, document)])) }
        self.document = document
        items = list.reduce(document) { $0.object?[$1] ?? .null }.array ?? []
        let others = try? Files.read("\(directory)/product-variants.json")
        variants = try others.flatMap { try JSONParser().parse($0).object?["hydra:member"]?.array } ?? []
    }

    /// The value of a variable such as `LARDER_UPSTREAM_X_KEY`.
    func secret(of variable: String) -> String {
        let header = headers.first { "LARDER_UPSTREAM_\($0.name.uppercased().replacing("-", with: "_"))" == variable }
        return header?.value ?? "KEY"
    }

    func answer(to request: StandInRequest, _ body: [UInt8]) -> (status: String, headers: String, body: [UInt8]) {
        func refused(_ status: String) -> (String, String, [UInt8]) { (status, "", Array("{}".utf8)) }
        guard headers.allSatisfy({ request.headers[$0.name.lowercased()] == $0.value }) else {
            return refused("401 Unauthorized")
        }
        if request.path == "/api/v2/shop/product-variants", let product = request.parameters["product"] {
            let found = variants.filter { $0.object?["product"]?.string == product }
            return ("200 OK", "", JSONValue.object(JSONObject([("hydra:member", .array(found))])).encoded())
        }
        let query = (try? JSONParser().parse(body).object) ?? nil
        guard request.path == path, (request.method == "POST") == (query != nil) else {
            return refused("404 Not Found")
        }
        if let query, let missing = Self.names(in: items).first(where: { !Self.asks(query["query"]?.string, for: $0) })
        {
            return ("200 OK", "", Array(#"{"errors":[{"message":"not asked for: \#(missing)"}]}"#.utf8))
        }
        let size = pages?["size"]?.text
        let place = pages?["at"]?.text.flatMap { at in
            query.map { $0["variables"]?.object?[at]?.scalar } ?? request.parameters[at]
        }
        // A link to the next page stands for the parameters of the first.
        let isLinked = pages?["by"]?.text == "url" && place != nil
        let isWhole = parameters.allSatisfy { $0.key == "limit" || request.parameters[$0.key] == $0.value }
        guard isWhole || isLinked else { return refused("400 Bad Request") }
        guard let pages else { return ("200 OK", "", bytes) }
        return page(pages, at: place, size: size.flatMap { request.parameters[$0] }, request)
    }

    /// Returns the page that begins at a place.
    private func page(
        _ pages: ConfigNode, at place: String?, size: String?, _ request: StandInRequest
    ) -> (status: String, headers: String, body: [UInt8]) {
        // An API with objects of several kinds is asked for one of them.
        let kinds = request.parameters["types"]?.split(separator: ",").map(String.init)
        let items = items.filter { item in kinds?.contains(item.object?["type"]?.string ?? "") ?? true }
        let size = min(size.flatMap { Int($0) } ?? RealShop.pageSize, RealShop.pageSize)
        let start =
            switch pages["by"]?.text {
            case "page": ((place.flatMap { Int($0) } ?? 1) - 1) * size
            case "offset": place.flatMap { Int($0) } ?? 0
            case "last": (items.firstIndex { $0.object?["id"]?.scalar == place } ?? -1) + 1
            default: place.flatMap { Int($0.dropFirst("after-".count)) } ?? 0
            }
        let shown = Array(items.dropFirst(start).prefix(size))
        let end = start + shown.count
        let cursor = end < items.count ? "after-\(end)" : nil
        let url = cursor.map { "http://\(request.headers["host"] ?? "")\(path)?\(pages["at"]?.text ?? "")=\($0)" }
        let values: [String: JSONValue] = [
            "$total": .count(items.count), "$count": .count(shown.count), "$more": .bool(cursor != nil),
            "$pages": .count((items.count + size - 1) / size), "$cursor": cursor.map { .string($0) } ?? .null,
            "$link": url.map { .string($0) } ?? .null,
        ]
        var answer = Self.setting(list[...], to: .array(shown), in: document)
        for entry in pages["body"]?.entries ?? [] {
            let value = values[entry.value.text ?? ""] ?? .null
            answer = Self.setting(Self.components(entry.key)[...], to: value, in: answer)
        }
        let lines = (pages["headers"]?.entries ?? []).compactMap { entry -> String? in
            let value = values[entry.value.text ?? ""]?.scalar
            return value.map { "\(entry.key): \(entry.key == "Link" ? "<\($0)>; rel=\"next\"" : $0)\r\n" }
        }
        return ("200 OK", lines.joined(), answer.encoded())
    }

    private static func components(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }

    private static func setting(_ path: ArraySlice<String>, to value: JSONValue, in whole: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        var members = whole.object ?? JSONObject()
        members[name] = setting(path.dropFirst(), to: value, in: members[name] ?? .null)
        return .object(members)
    }

    /// The names of all members, but for those that name types of GraphQL.
    private static func names(in values: [JSONValue]) -> Set<String> {
        values.reduce(into: []) { names, value in
            for member in value.object?.members ?? [] where member.key != "__typename" {
                names.insert(member.key)
                names.formUnion(Self.names(in: [member.value]))
            }
            names.formUnion(Self.names(in: value.array ?? []))
        }
    }

    private static func asks(_ query: String?, for name: String) -> Bool {
        query?.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(Substring(name)) ?? false
    }
}

extension JSONValue {
    /// The text of a string, number or boolean.
    var scalar: String? { string ?? number?.literal ?? bool.map { "\($0)" } }
}
