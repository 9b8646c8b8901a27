import FoundationEssentials
import JSON
import Products
import Serving
import Testing

struct OperatorReportsTests {
    @Test(arguments: [true, false])
    func `a pin that is not written says that a restart would forget it`(isWritten: Bool) {
        let order = OperatorOrder(at: Date(timeIntervalSince1970: 0), by: "order 7", reason: "wrong prices")
        let pin = CataloguePin(generation: 1, revision: "ab", order: order, isWritten: isWritten)
        #expect(pin.json["written"] == .bool(isWritten))
        let end = isWritten ? "" : " (not written, a restart would forget it)"
        #expect(pin.text == "generation 1 since 1970-01-01T00:00:00Z by order 7: wrong prices\(end)")
    }
}
