/// A place in a config file.
///
/// Lines and columns count from 1, columns in Unicode scalars as editors and libyaml do. Line 0 stands for the file as
/// a whole, for problems such as a file that cannot be read.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The file's path, as the user gave it.
    public let file: String
    /// The line, from 1; 0 for the whole file.
    public let line: Int
    /// The column, from 1; 0 for the whole file.
    public let column: Int

    /// Creates a position; both numbers count from 1.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The position that stands for all of `file`.
    public static func whole(_ file: String) -> SourcePosition {
        SourcePosition(file: file, line: 0, column: 0)
    }

    /// Orders by file, then line, then column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `config/larder.yaml:14:7`, or the file alone for the whole file.
    public var description: String {
        line == 0 ? file : "\(file):\(line):\(column)"
    }
}
