internal import CEventShim

/// The memory that the process has from the system, beyond what it uses.
///
/// A catalogue is hundreds of thousands of small objects. When it is replaced the allocator has room for all of them,
/// and keeps it unless it is told otherwise.
public enum ProcessMemory {
    /// Has what is large come from the system and go back to it by itself. To be called before there are threads.
    public static func prepare() {
        larder_memory_prepare()
    }

    /// Gives everything that is free back to the system. Takes milliseconds for hundreds of megabytes: not for event
    /// loops.
    public static func giveBack() {
        larder_memory_give_back()
    }
}
