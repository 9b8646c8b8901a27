import Testing

@testable import Service

@Suite("The form of a probe's answer")
struct HealthFormTests {
    @Test(
        "Text is for whoever does not ask for more",
        arguments: [
            nil, "", "*/*", "text/plain", "text/html", "application/json", "image/png, text/*",
            "application/health+json;q=0.5, text/plain", "application/health+json;q=0", "application/health+json;q=x",
            "application/health+json;q=0.1, */*;q=0.2",
        ])
    func text(accept: String?) {
        #expect(HealthForm.best(accept) == .text)
    }

    @Test(
        "JSON is for who names it or its kind and likes it at least as much",
        arguments: [
            "application/health+json", "Application/Health+JSON", "application/*",
            "text/plain, application/health+json", "application/health+json, */*",
            "text/plain;q=0.5, application/health+json; q=0.6", "application/*;q=0, application/health+json",
        ])
    func json(accept: String) {
        #expect(HealthForm.best(accept) == .json)
    }
}
