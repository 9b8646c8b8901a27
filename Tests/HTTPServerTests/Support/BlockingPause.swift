import Glibc

/// Lets other threads run between two looks at a fact.
enum BlockingPause {
    static func oneMillisecond() throws {
        usleep(1000)
    }
}
