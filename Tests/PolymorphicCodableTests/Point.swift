/// A shape without members.
struct Point: Shape {}
