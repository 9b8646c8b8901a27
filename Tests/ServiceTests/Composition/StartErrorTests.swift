import Testing

@testable import Service

@Suite("What keeps a service from starting")
struct StartErrorTests {
    @Test("A libevent that is too old is named, and the oldest one supported")
    func libevent() {
        let error = StartError.libevent(found: "2.1.11-stable", oldest: "2.1.12-stable")
        #expect("\(error)" == "libevent 2.1.11-stable is too old: it takes 2.1.12-stable or a newer one")
    }
}
