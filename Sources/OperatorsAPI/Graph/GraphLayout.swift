/// The places of a graph's boxes and lines on the page.
///
/// Each box is below all boxes that refer to it. A box and its dependent boxes take a column of their own, so boxes
/// never overlap. A line that passes rows gets a lane of its own beside them.
struct GraphLayout {
    /// A point on the page, from its upper left corner.
    struct Point: Hashable {
        var x: Int
        var y: Int
    }

    /// A box, by its upper left corner.
    struct Box: Hashable {
        var x: Int
        let y: Int
        let width: Int
        let height: Int

        var middle: Int { x + width / 2 }
    }

    /// A line from a box to one below it.
    struct Line: Hashable {
        let from: String
        let to: String
        let role: String
        /// The x of the lane beside the rows that it passes; nil if it passes none.
        var lane: Int?
    }

    static let boxWidth = 232
    /// The width of a lane with the role beside it.
    static let laneWidth = 96
    private static let laneInset = 14
    static let columnGap = 24
    static let rowGap = 50
    static let margin = 12

    private(set) var boxes: [String: Box] = [:]
    private(set) var lines: [Line]
    private(set) var size = Point(x: 0, y: 0)
    /// The rows' upper and lower edges.
    private(set) var rows: [(top: Int, bottom: Int)] = []
    private let depths: [String: Int]
    /// The line that attaches a box to its column.
    private let hooks: Set<Line>

    /// - Parameters:
    ///   - ids: the ids of the boxes, the root first.
    ///   - lines: the boxes that each line connects, ordered from left to right, without a cycle.
    ///   - heights: the heights of the boxes.
    init(ids: [String], lines: [Line], heights: [String: Int]) {
        self.lines = lines
        let depths = Self.depths(of: ids, lines)
        var hooks: [String: Line] = [:]
        for line in lines where hooks[line.to] == nil {
            if let upper = depths[line.from], depths[line.to] == upper + 1 { hooks[line.to] = line }
        }
        self.depths = depths
        self.hooks = Set(hooks.values)
        stackRows(ids, heights)
        let width = ids.first.map { place($0, left: Self.margin, heights) } ?? 0
        size = Point(x: width + 2 * Self.margin, y: (rows.last?.bottom ?? 0) + Self.margin)
    }

    /// The distance of each box from the root, by the longest path.
    private static func depths(of ids: [String], _ lines: [Line]) -> [String: Int] {
        let uppers = Dictionary(grouping: lines, by: \.to)
        var depths: [String: Int] = [:]
        func depth(_ id: String) -> Int {
            if let known = depths[id] { return known }
            let depth = (uppers[id] ?? []).map { depth($0.from) + 1 }.max() ?? 0
            depths[id] = depth
            return depth
        }
        for id in ids { _ = depth(id) }
        return depths
    }

    func row(of id: String) -> Int { depths[id] ?? 0 }

    private mutating func stackRows(_ ids: [String], _ heights: [String: Int]) {
        var top = Self.margin
        for depth in 0...(depths.values.max() ?? 0) {
            let height = ids.filter { depths[$0] == depth }.compactMap { heights[$0] }.max() ?? 0
            rows.append((top, top + height))
            top += height + Self.rowGap
        }
    }

    /// Places a box and its dependent boxes; returns their width.
    private mutating func place(_ id: String, left: Int, _ heights: [String: Int]) -> Int {
        var right = left
        var middles: [Int] = []
        for index in lines.indices where lines[index].from == id {
            let line = lines[index]
            let gap = right == left ? 0 : Self.columnGap
            if hooks.contains(line), boxes[line.to] == nil {
                right += gap + place(line.to, left: right + gap, heights)
                if let box = boxes[line.to] { middles.append(box.middle) }
            } else if row(of: line.to) > row(of: id) + 1 {
                lines[index].lane = right + gap + Self.laneInset
                right += gap + Self.laneWidth
            }
        }
        let width = max(Self.boxWidth, right - left)
        if middles.isEmpty { shift(id, by: (width - (right - left)) / 2) }
        let middle = middles.isEmpty ? left + width / 2 : (middles[0] + middles[middles.count - 1]) / 2
        let x = min(max(left, middle - Self.boxWidth / 2), left + width - Self.boxWidth)
        boxes[id] = Box(x: x, y: rows[row(of: id)].top, width: Self.boxWidth, height: heights[id] ?? 0)
        return width
    }

    /// Moves the lanes of a box without dependent boxes to its middle.
    private mutating func shift(_ id: String, by distance: Int) {
        for index in lines.indices where lines[index].from == id {
            lines[index].lane = lines[index].lane.map { $0 + distance }
        }
    }
}
