internal import CEventShim

/// Which cores the scheduler may put this process on.
public enum CPUAffinity {
    /// How many there are; at least one.
    public static var count: Int { max(1, Int(larder_usable_cores())) }
}
