import Testing

@testable import Service

@Suite("Faults to practise with")
struct PracticeFaultTests {
    @Test("Every mode that is offered can be switched on", arguments: PracticeFault.modes.split(separator: " "))
    func modes(mode: Substring) throws {
        #expect(try #require(PracticeFault(mode: String(mode))).mode == mode)
    }

    @Test("Any final status will do", arguments: [200, 404, 429, 599])
    func statuses(code: Int) {
        #expect(PracticeFault(mode: "status=\(code)") == .status(code))
    }

    @Test(
        "Anything else is no mode",
        arguments: ["", "Down", "down ", "status", "status=", "status=199", "status=600", "status=abc", "503"])
    func unknown(mode: String) {
        #expect(PracticeFault(mode: mode) == nil)
    }
}
