internal import EventLoop
internal import FileSystem

/// What has to be done before anything else in a process, whatever it is to do.
public enum ProcessStart {
    /// Makes sure that there are standard streams, configures the allocator, and holds signals: one may come before
    /// anything is known of the command, and must not end a service that has just begun. Many systems allow 1024 open
    /// files until a process asks for more, which is less than the connections that are served.
    public static func prepare() {
        StandardStreams.fill()
        ProcessMemory.prepare()
        SignalWatch.hold()
        Files.raiseMostOpen()
    }
}
