internal import Testing

@testable internal import Wiring

struct IncludesReaderTests {
    @Test(arguments: [
        "{ items: data, includes: { path: included }, fields: { imageURL: relationships.images.data.0.attributes.url } }",
        "{ items: data, includes: [{ path: included }], variants: { path: relationships.sizes.data } }",
        "{ items: p, includes: [{ path: meta.brands, of: brand_id, id: key, as: brand }], fields: { brand: brand.name } }",
        "{ includes: [{ path: tree, of: category, as: category }] }", "{ items: p, includes: [] }",
    ])
    func `lists that can be joined are good`(yaml: String) {
        #expect(decodeProblems(yaml) == [])
    }

    @Test(arguments: [
        ("{ includes: included }", #"1:21: error: "includes": expected mapping, found "included""#),
        ("{ includes: {} }", #"1:21: error: missing "path" in "decode.includes""#),
        (
            "{ includes: [{ path: a, of: b, as: c, ad: d }] }",
            #"1:47: error: unknown key "ad" in "decode.includes[0]"; did you mean "id"?"#
        ),
        (
            "{ includes: [{ path: a.*, of: b, as: c }] }",
            #"1:30: error: "path" of a list is a path of names, like meta.brands"#
        ),
        ("{ includes: [{ path: a, of: b }] }", #"1:37: error: "of" needs "as", as in { of: brand_id, as: brand }"#),
        ("{ includes: [{ path: a, as: b }] }", #"1:37: error: "as" needs "of", as in { of: brand_id, as: brand }"#),
        (
            "{ includes: [{ path: a, of: b, as: c.d }] }",
            #"1:44: error: "as": expected the name of a member of an item, found "c.d""#
        ),
        (
            "{ includes: { path: a, id: b } }",
            #"1:36: error: "id" is of a list with "of"; JSON:API names objects by type and id"#
        ),
        (
            "{ format: csv, includes: { path: a } }",
            #"1:34: error: "includes" is of json, whose documents have lists beside the items"#
        ),
        (
            "{ includes: { path: a }, fields: { name: relationships.a.data.b } }",
            #"1:21: error: "includes" needs "items": without it the document is the array of items"#
        ),
        (
            "{ items: data, includes: { path: a }, fields: { name: title } }",
            #"1:34: error: no path leads to an object of "includes", like relationships.images.data.0.attributes.url"#
        ),
    ])
    func `what is wrong with a list is said where it is`(yaml: String, problem: String) {
        #expect(decodeProblems(yaml) == ["f:\(problem)"])
    }
}
