/// A value with so much room before it that it shares no cache line with what stands there, nor the line that processors
/// fetch along with one. For what threads write next to each other, each its own.
struct Apart<Content: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// Two cache lines, since nothing is known of where the value as a whole begins.
    private let distance = InlineArray<16, UInt64>(repeating: 0)
    let content: Content

    init(_ content: consuming Content) {
        self.content = content
    }
}
