internal import EventLoop
internal import FileSystem

/// What has to be done before anything else in a process, whatever it is to do.
public enum ProcessStart {
    /// Makes sure that there are standard streams, says how memory is to be handled, and holds signals: one may come before anything is known of the
    /// command, and must not end a service that has just begun.
    public static func prepare() {
        StandardStreams.fill()
        ProcessMemory.prepare()
        SignalWatch.hold()
    }
}
