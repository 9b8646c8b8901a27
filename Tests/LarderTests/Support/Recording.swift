import FileSystem
import JSON
import TestSupport

/// Recorded answers of a shop's API: one request, the products that answer it, and the paging around them.
///
/// Each file of `Recordings` has one product a line, in the form that the API documents. Numbers of a page are filled in
/// where the file says `$total`, `$count`, `$size`, `$start`, `$number`, `$pages` or, in links, `$at`.
struct Recording: Sendable {
    /// An API's way to split a list.
    struct Paging: Sendable {
        /// Names the page by its number, by the place of its first item, or by the cursor in a `Link`.
        enum Kind: String {
            case page, offset, link
        }

        let by: Kind
        let parameter: String
        /// The parameter for the page size.
        let size: String
        let defaultSize: Int
        let largestSize: Int
        /// The query of each relation in the `Link` header.
        let links: [String: String]
    }

    let name: String
    /// The example config that reads the API.
    let config: String
    let variables: [String: String]
    /// File contents by the variable that names the file.
    let secrets: [String: String]
    let path: String
    /// Headers without which the answer is 401.
    let headers: [String: String]
    /// Parameters without which the recording is no answer.
    let parameters: [String: String]
    /// The parameter that lists the members to send.
    let kept: String?
    /// The parameter that lists the members to leave out.
    let dropped: String?
    let paging: Paging?
    let unauthorized: String
    let answerHeaders: [String: String]
    let body: String
    /// The shop's products, as its API sends them.
    let items: [JSONValue]
    /// The products that Larder makes of them, as it serves them.
    let products: [JSONValue]

    /// Reads a file of `Recordings`.
    init(_ name: String) {
        guard let text = try? Files.read("\(Repository.root)/Tests/LarderTests/Recordings/\(name).json"),
            let document = try? JSONParser().parse(text).object
        else { preconditionFailure("there is no recording \(name)") }
        self.init(name, document)
    }

    /// Records a shop that speaks Larder's own form.
    ///
    /// - Parameters:
    ///   - token: a bearer token that requests need.
    ///   - sharedCount: the number of products whose ids other shops have too.
    static func plain(_ shop: String, token: String? = nil, sharedCount: Int = 0) -> Recording {
        let items = (1...8).map { number in
            let id = number <= sharedCount ? "both-\(number)" : "\(shop)-\(number)"
            let price: JSONObject = ["amount": .number(JSONNumber(number)), "currency": "EUR"]
            return [
                "type": "physical", "id": .string(id), "name": .string("\(number) of \(shop)"), "price": .object(price),
            ]
                as JSONObject
        }
        var document: JSONObject = ["path": "/products", "body": "$items"]
        document["headers"] = token.map { .object(["Authorization": .string("Bearer \($0)")]) }
        document["items"] = .array(items.map(JSONValue.object))
        document["products"] = .array(
            items.map { item in
                var product = item
                (product["sales"], product["isPopular"]) = (0, false)
                return .object(product)
            })
        return Recording(shop, document)
    }

    private init(_ name: String, _ document: JSONObject) {
        func texts(_ object: JSONObject?, _ key: String) -> [String: String] {
            let members = object?[key]?.object?.members ?? []
            return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.string ?? "") })
        }
        self.name = name
        config = document["config"]?.string ?? name
        variables = texts(document, "variables")
        secrets = texts(document, "secrets")
        path = document["path"]?.string ?? ""
        headers = texts(document, "headers")
        parameters = texts(document, "parameters")
        kept = document["kept"]?.string
        dropped = document["dropped"]?.string
        paging = document["paging"]?.object.map { paging in
            Paging(
                by: paging["by"]?.string.flatMap(Paging.Kind.init) ?? .page,
                parameter: paging["parameter"]?.string ?? "",
                size: paging["size"]?.string ?? "", defaultSize: paging["default"]?.number?.integer ?? 0,
                largestSize: paging["largest"]?.number?.integer ?? 0, links: texts(paging, "links"))
        }
        unauthorized = "\(document["unauthorized"] ?? .object([:]))"
        answerHeaders = texts(document, "answer_headers")
        body = "\(document["body"] ?? .null)"
        items = document["items"]?.array ?? []
        products = document["products"]?.array ?? []
    }
}

extension JSONValue {
    /// The products of a document that Larder wrote; nil unless it is one.
    static func products(in document: [UInt8]) -> [JSONValue]? {
        guard let object = try? JSONParser().parse(document).object, let products = object["products"]?.array,
            object["total"]?.number?.integer == products.count
        else { return nil }
        return products
    }
}
