import JSON
import TestSupport
import Testing

/// What is particular to products.
extension Walk {
    /// Products in each form that they have.
    func products() async throws {
        let list = operations("/products")
        let one = operations("/products/{id}")
        for (query, page, product) in [
            ("", "ProductsPage", "Product"), ("?view=display", "DisplayedProductsPage", "DisplayedProduct"),
            ("?fields=name", "ProductPartsPage", "ProductPart"),
            ("?fields=title&view=display", "ProductPartsPage", "ProductPart"),
        ] {
            try await check(try await ask(list[0], "/products\(query)", expecting: 200), by: page)
            for id in 1...6 {
                try await check(try await ask(one[0], "/products/\(id)\(query)", expecting: 200), by: product)
            }
        }
        for operation in list + one where operation.method != "OPTIONS" {
            let target = operation.path.replacing("{id}", with: "1")
            let answer = try await ask(operation, target, fields: "Accept-Language: de-AT\r\n", expecting: 200)
            #expect(answer?.headers["content-language"] == "de")
        }
        for operation in one {
            try await ask(operation, "/products/none", expecting: operation.method == "OPTIONS" ? 204 : 404)
            try await ask(operation, "/products/%zz", expecting: 400)
        }
    }

    /// The pages that `links` lead to, to the end, and those of a catalogue that was replaced.
    func pages(_ stand: DescribedStand) async throws {
        for operation in operations("/products") where operation.method != "OPTIONS" {
            let first = try #require(try await ask(operations("/products")[0], "/products?limit=4", expecting: 200))
            let next = try #require(try linked("next", in: first))
            let page = "/products?limit=4&cursor=\(next)"
            let second = try #require(try await ask(operation, page, expecting: 200))
            let tag = try #require(second.headers["etag"])
            try await ask(operation, page, fields: "If-None-Match: \(tag)\r\n", expecting: 304)
            try await stand.serve("New for \(operation.method)")
            let gone = try #require(try await ask(operation, page, expecting: 410))
            #expect(gone.headers["link"] == #"</products?limit=4>; rel="first""#)
        }
        let whole = try #require(try await ask(operations("/products")[0], expecting: 200))
        let id = try #require(try linked("product", in: whole))
        try await ask(operations("/products/{id}")[0], "/products/\(id)", expecting: 200)
    }

    /// Differences that are not kept.
    func changes() async throws {
        for operation in operations("/changes") where operation.method != "OPTIONS" {
            let gone = try #require(try await ask(operation, "/changes?since=none", expecting: 410))
            #expect(gone.headers["link"] == #"</products>; rel="alternate""#)
            try await ask(operation, "/changes", expecting: 400)
        }
    }

    private func operations(_ path: String) -> [DocumentedOperation] {
        document.operations.filter { $0.path == path }
    }

    private func check(_ answer: RawResponse?, by schema: String) async throws {
        let body = try JSONParser().parse(try #require(answer).body)
        #expect(document.checker.faults(body, named: schema) == [], "\(schema)")
    }

    /// What a link of the first operation takes from an answer; all else it takes over from the request.
    private func linked(_ name: String, in answer: RawResponse) throws -> String? {
        let link = try #require(operations("/products")[0].answers[200]?["links"]?.object?[name]?.object)
        let parameters = try #require(link["parameters"]?.object?.members)
        let prefix = "$response.body#/"
        let expression = try #require(parameters.lazy.compactMap(\.value.string).first { $0.hasPrefix(prefix) })
        for parameter in parameters where parameter.value.string != expression {
            #expect(parameter.value.string == "$request.query.\(parameter.key)")
        }
        let path = expression.dropFirst(prefix.count).split(separator: "/").joined(separator: ".")
        return try JSONParser().parse(answer.body)[try #require(JSONPath(path))]?.string
    }
}
