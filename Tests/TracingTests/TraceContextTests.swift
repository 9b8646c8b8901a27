import Testing
import Tracing

struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "00-\(trace)-b7ad6b7169203331-01"

    @Test func `a request on behalf of another one is a span of its own in the same trace, with the same flags`() throws
    {
        let context = try #require(TraceContext(parent: Self.parent))
        #expect(context.traceID == Self.trace)
        #expect(context.parent(span: 0xfe) == "00-\(Self.trace)-00000000000000fe-01")
        #expect(context.state == nil)
    }

    @Test(arguments: [("00", "00"), ("01", "01"), ("02", "02"), ("03", "03"), ("ff", "03"), ("fc", "00")])
    func `flags that are not known yet are not sent`(received: String, sent: String) throws {
        let context = try #require(TraceContext(parent: "00-\(Self.trace)-b7ad6b7169203331-\(received)"))
        #expect(context.parent(span: 1).suffix(2) == sent)
    }

    @Test(arguments: ["cc-\(trace)-b7ad6b7169203331-01", "01-\(trace)-b7ad6b7169203331-01-what-may-come"])
    func `of later versions what is known is used`(parent: String) throws {
        let context = try #require(TraceContext(parent: parent))
        #expect(context.parent(span: 1) == "00-\(Self.trace)-0000000000000001-01")
    }

    @Test(arguments: [
        "", "00", "-", "00-\(trace)", "ff-\(trace)-b7ad6b7169203331-01", "0-\(trace)-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-\(trace)-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "00-\(trace)-b7ad6b716920333-011",
        "00-\(trace)-b7ad6b7169203331-0", "00-\(trace)-b7ad6b7169203331-0g", "00-\(trace)-b7ad6b7169203331-01-",
        "00-\(trace)-b7ad6b7169203331-01-x", "01-\(trace)-b7ad6b7169203331-01x", "\(parent), \(parent)",
        "00_\(trace)-b7ad6b7169203331-01", "00-\(trace)_b7ad6b7169203331-01", "00-\(trace)-b7ad6b7169203331_01",
        "00-é\(trace.dropFirst(2))-b7ad6b7169203331-01", " \(parent)",
    ])
    func `what is not valid is not used`(parent: String) {
        #expect(TraceContext(parent: parent, state: "a=1") == nil)
    }

    @Test(
        arguments: [
            ("rojo=00f067aa0ba902b7", "rojo=00f067aa0ba902b7"), ("a=1 , b=2", "a=1,b=2"), ("a=1,,\tb=2,", "a=1,b=2"),
            ("t@v=x y", "t@v=x y"), ("", nil), (" , ", nil), ("a", nil), ("a=", nil), ("=a", nil), ("a=1=2", nil),
            ("a=é", nil), ("a=\u{7f}", nil), ("a=1\r\nX: y=1", nil),
        ] as [(String, String?)])
    func `the state is passed on as it came, but for blanks and empty members`(received: String, sent: String?) throws {
        #expect(try #require(TraceContext(parent: Self.parent, state: received)).state == sent)
    }

    @Test
    func `of a state that is too long whole members are left out from behind; one of too many members is not used`()
        throws
    {
        let members = (0..<20).map { "key\($0)=" + String(repeating: "x", count: 40) }
        let state = try #require(TraceContext(parent: Self.parent, state: members.joined(separator: ","))?.state)
        #expect(state == members.prefix(11).joined(separator: ","))
        #expect(state.utf8.count <= 512)
        let tooBig = "a=" + String(repeating: "x", count: 511)
        #expect(TraceContext(parent: Self.parent, state: tooBig)?.state == nil)
        let tooMany = (0..<33).map { "k\($0)=1" }.joined(separator: ",")
        #expect(TraceContext(parent: Self.parent, state: tooMany)?.state == nil)
        let hollow = "a=1" + String(repeating: " ,", count: 100)
        #expect(TraceContext(parent: Self.parent, state: hollow)?.state == nil)
        let endless = "a=1,b=" + String(repeating: "x", count: 8192)
        #expect(TraceContext(parent: Self.parent, state: endless)?.state == nil)
    }
}
