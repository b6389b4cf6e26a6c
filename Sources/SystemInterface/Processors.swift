import CSystem

/// The processors this process may run on.
public enum Processors {
    /// How many, by its affinity mask: containers pinned to some cores see those only. At least 1.
    public static var count: Int { max(1, Int(presignProcessorCount())) }
}
