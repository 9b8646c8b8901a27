/// Two numbers that together no other request has, of whatever server, process or machine.
public struct RequestSerial: Sendable, Hashable {
    /// Of the part of a server that received the request; drawn at random when it was made.
    public let server: UInt64
    /// Which of its requests it is.
    public let number: UInt64

    init(server: UInt64 = 0, number: UInt64 = 0) {
        self.server = server
        self.number = number
    }
}
