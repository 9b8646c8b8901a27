internal import Configuration
internal import Testing

@testable internal import Wiring

struct ConfiguredCategoriesTests {
    private static func problems(_ categories: String, _ rest: String = "") -> [String] {
        let yaml =
            "providers:\n  shop:\n    { type: http, request: { base_url: \"http://s\" }\(rest),\n      categories: { \(categories) } }"
        return WiringTests.problems(
            yaml + "\nserve: shop\n", sections: [.required("serve", .component(ProviderFamily.self), "")]
        ) {
            _ = $0.component("serve", ProviderFamily.self)
        }
    }

    @Test(arguments: [
        "path: /categories, of: categories",
        "path: \"/c?n=9\", items: data, id: key, parent: up.id, name: texts.0, of: links.*.to, as: tree",
        "path: /c, of: c, pagination: { type: page, size: 9, total: { header: X-Total } }",
    ])
    func `good categories have no problem`(categories: String) {
        #expect(Self.problems(categories) == [])
    }

    @Test(arguments: [
        ("of: c", "", "f:4:19: error: missing \"path\" in \"http.categories\""),
        ("path: /c", "", "f:4:19: error: missing \"of\" in \"http.categories\""),
        (
            "path: \"//evil/c\", of: c", "",
            "f:4:27: error: \"path\" must be a path below \"base_url\", like /products/categories"
        ),
        (
            "path: /c, of: a..b", "",
            "f:4:35: error: \"a..b\" is no key path; write names with dots between them, like data.products"
        ),
        (
            "path: /c, of: c, as: a.b", "",
            "f:4:42: error: \"as\": expected the name of a member of an item, found \"a.b\""
        ),
        (
            "path: /c, of: c", ", decode: { fields: { category: c } }",
            "f:4:19: error: \"category\" in \"fields\" reads c, and not \"category\", the member that gets the categories"
        ),
        (
            "path: /c, of: c", ", decode: { format: csv }",
            "f:4:19: error: \"categories\" are for items of JSON alone"
        ),
    ])
    func `what is wrong with categories is said where it is`(categories: String, rest: String, problem: String) {
        #expect(Self.problems(categories, rest) == [problem])
    }
}
