/// A tool of two kinds, which writes its own or none.
struct Hammer: Tool {
    var type: String?
}
