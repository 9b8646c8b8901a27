import Testing

@testable import OperatorsAPI

struct GraphLayoutTests {
    /// The default graph: `local` is referred to twice, once over two rows.
    private static let common = Shape(
        ids: ["storefront", "fallback", "reachability", "remote", "http", "local", "stored"],
        lines: [
            ("storefront", "fallback"), ("fallback", "reachability"), ("reachability", "remote"), ("remote", "http"),
            ("reachability", "local"), ("fallback", "local"), ("local", "stored"),
        ])
    private static let wide = Shape(
        ids: ["merge", "a", "b", "c", "d"],
        lines: [("merge", "a"), ("merge", "b"), ("merge", "c"), ("merge", "d"), ("a", "d"), ("b", "d")])
    private static let alone = Shape(ids: ["file"], lines: [])
    private static let twice = Shape(ids: ["top", "only"], lines: [("top", "only"), ("top", "only")])
    private static let passing = Shape(
        ids: ["top", "deep", "deeper"], lines: [("top", "deeper"), ("top", "deep"), ("deep", "deeper")])
    private static let shapes = [common, wide, alone, twice, passing]

    @Test(arguments: shapes)
    func `boxes never overlap, and all stand on the page`(shape: Shape) throws {
        let layout = shape.layout
        #expect(Set(layout.boxes.keys) == Set(shape.ids))
        let boxes = shape.ids.compactMap { layout.boxes[$0] }
        for (index, box) in boxes.enumerated() {
            #expect(box.x >= 0 && box.x + box.width <= layout.size.x)
            #expect(box.y >= 0 && box.y + box.height <= layout.size.y)
            for other in boxes.dropFirst(index + 1) {
                let isBeside = box.x + box.width <= other.x || other.x + other.width <= box.x
                let isAbove = box.y + box.height <= other.y || other.y + other.height <= box.y
                #expect(isBeside || isAbove)
            }
        }
    }

    @Test(arguments: shapes)
    func `every line leads down, and one that passes rows has a lane that no box stands in`(shape: Shape) throws {
        let layout = shape.layout
        #expect(layout.lines.count == shape.lines.count)
        for line in layout.lines {
            let (upper, lower) = (layout.row(of: line.from), layout.row(of: line.to))
            #expect(upper < lower)
            #expect((line.lane != nil) == (lower > upper + 1))
            guard let lane = line.lane else { continue }
            for (id, box) in layout.boxes where layout.row(of: id) > upper && layout.row(of: id) < lower {
                #expect(lane < box.x || lane > box.x + box.width)
            }
        }
    }

    @Test func `a box stands over the middle of what hangs on it`() throws {
        let boxes = Self.common.layout.boxes
        let (remote, local) = (try #require(boxes["remote"]), try #require(boxes["local"]))
        #expect(boxes["reachability"]?.middle == (remote.middle + local.middle) / 2)
        #expect(boxes["storefront"]?.middle == boxes["reachability"]?.middle)
    }

    struct Shape: Sendable, CustomTestStringConvertible {
        let ids: [String]
        let lines: [(String, String)]

        var testDescription: String { ids.joined(separator: " ") }

        var layout: GraphLayout {
            let lines = lines.enumerated().map { GraphLayout.Line(from: $1.0, to: $1.1, role: "role \($0)") }
            let heights = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, 50 + $0 * 10) })
            return GraphLayout(ids: ids, lines: lines, heights: heights)
        }
    }
}
