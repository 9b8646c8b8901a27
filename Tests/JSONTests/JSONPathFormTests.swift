import JSON
import Testing

struct JSONPathFormTests {
    @Test(arguments: [
        ("categories[0].slug", "categories.0.slug"), ("a[0][12]", "a.0.12"), ("[3].x", "3.x"), ("a[].b", "a.0.b"),
        ("a[*]", "a.0"), ("a.[1].b", "a.1.b"), ("a[1]b", "a.1.b"), ("m[x].n[2]", "m[x].n.2"),
    ])
    func `an index in brackets is no path, and the right form is told`(text: String, path: String) {
        #expect(JSONPath(text) == nil)
        #expect(
            JSONPath.fault(of: text) == "is no key path; an index of an array stands between dots, like \(path)")
        #expect(JSONPath(path)?.description == path)
    }

    @Test(arguments: ["meta[color]", "a]0[", "[", "]", "a[", "a[0", "plain"])
    func `other brackets belong to a name`(text: String) {
        #expect(JSONPath(text)?.description == text)
    }
}
