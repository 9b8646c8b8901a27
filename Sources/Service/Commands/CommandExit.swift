/// Ends a command with a status. All that there is to say has been said.
public struct CommandExit: Error, Sendable, Hashable {
    /// The status that the process exits with; not 0.
    public let status: Int32

    /// - Throws: itself, unless the status is 0.
    static func check(_ status: Int32) throws(CommandExit) {
        if status != 0 { throw CommandExit(status: status) }
    }
}
