import Testing

@testable import OperatorsAPI

@Suite struct HealthFormTests {
    @Test(arguments: [
        nil, "", "*/*", "text/plain", "text/html", "application/json", "image/png, text/*",
        "application/health+json;q=0.5, text/plain", "application/health+json;q=0", "application/health+json;q=x",
        "application/health+json;q=0.1, */*;q=0.2",
    ])
    func `text is the default`(accept: String?) {
        #expect(HealthForm.best(accept) == .text)
    }

    @Test(arguments: [
        "application/health+json", "Application/Health+JSON", "application/*",
        "text/plain, application/health+json", "application/health+json, */*",
        "text/plain;q=0.5, application/health+json; q=0.6", "application/*;q=0, application/health+json",
    ])
    func `JSON is for clients that name it and prefer it at least equally`(accept: String) {
        #expect(HealthForm.best(accept) == .json)
    }
}
