import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FaithfulnessTests {
    private let directory: TemporaryDirectory
    private let description = String(repeating: "Long. \u{1F33E} ", count: 100_000)

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The source's products in the form of the answer: Larder's members first, in its order.
    private var products: String {
        """
        [{"type":"physical","id":"1","name":"\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{1F33E}",\
        "price":{"amount":0.1,"currency":"EUR","was":{"amount":1e400}},"sales":101,"weight":1.5,\
        "dimensions":{"width":1,"height":2.5,"depth":30,"unit":"cm"},\
        "big":9007199254740993,"none":null,"deep":{"b":[1,{"a":-0.0}],"a":true},"isPopular":true},\
        {"type":"digital","id":"2","name":"Song","price":{"amount":100,"currency":"JPY"},"sales":0,\
        "size":9007199254740993,"isPopular":false},\
        {"type":"subscription","id":"3","name":"Box","price":{"amount":19.9,"currency":"KWD"},"sales":0,\
        "interval":"month","trialDays":14,"isPopular":false},\
        {"type":"giftCard","id":"4","name":"Card","price":{"amount":0,"currency":"USD"},"sales":0,\
        "denominations":[10,25.5],"isPopular":false},\
        {"type":"bundle","id":"5","name":"Set","price":{"amount":20,"currency":"EUR"},"sales":0,"products":[\
        {"type":"bundle","id":"6","name":"Inner","price":{"amount":1,"currency":"EUR"},"sales":0,"products":[\
        {"type":"physical","id":"1","name":"Part","price":{"amount":0.3,"currency":"EUR"},"sales":0,"z":1,"a":2,\
        "isPopular":false}],"isPopular":false}],\
        "addOn":{"type":"digital","id":"7","name":"","price":{"amount":5,"currency":"EUR"},"sales":0,\
        "isPopular":false},\
        "isPopular":false},\
        {"type":"physical","id":"8","name":"Long","price":{"amount":0.001,"currency":"EUR"},"sales":0,\
        "description":"\(description)","isPopular":false}]
        """
    }

    /// These products in the form of a source: without added members, with numbers in other notations.
    private var source: String {
        products.replacing(#","isPopular":false"#, with: "").replacing(#","sales":0"#, with: "")
            .replacing(#""amount":100,"#, with: #""amount":1e2,"#)
            .replacing(#""amount":19.9,"#, with: #""amount":"19.90","#)
            .replacing(#""depth":30,"#, with: #""depth":3e1,"#)
    }

    @Test
    func `is the same to the digit by fetch, by GET, and from the store when the upstream is gone`() async throws {
        let path = directory("catalogue.json")
        try Files.create(path, Array(source.utf8))
        let shop = try LarderProcess(["upstream", "--listen", "127.0.0.1:0", "--catalogue", path], in: directory)
        defer { shop.signal(SIGKILL) }
        let port = try await shop.logged("practice upstream serving", "port")
        let config = try ProcessSettings(upstream: "127.0.0.1:\(port)").write(in: directory)
        let expected = #"{"products":\#(products),"total":6}"#

        let fetched = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(fetched.status == 0)
        #expect(String(decoding: fetched.output, as: UTF8.self) == expected + "\n")
        shop.signal(SIGTERM)
        #expect(await shop.exit() == .init(status: 0, signal: nil))

        let service = try LarderProcess(["--config", config], in: directory)
        defer { service.signal(SIGKILL) }
        let served = try await service.logged("serving", "port")
        try await Visitor.with { visitor in
            let answer = try await visitor.get(served, "/products")
            #expect(answer.status == 200)
            #expect(answer.text == expected)
            #expect(try await visitor.get(served, "/products/5").json?["products"]?.array?.count == 1)
        }
    }
}
