import TestSupport
import FileSystem
import Testing

@Suite struct AppendFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func growsWhatWasThereBefore() throws {
        try Files.create(directory("a"), [1])
        let file = try AppendFile(path: directory("a"))
        try file.append([2, 3])
        try file.append([])
        try file.synchronize()
        #expect(try file.size() == 3)
        #expect(try Files.read(directory("a")) == [1, 2, 3])
    }

    @Test func linesOfManyTasksStayWhole() async throws {
        let file = try AppendFile(path: directory("a"))
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { try file.append(Array(repeating: UInt8(task), count: 100)) }
                }
            }
            try await group.waitForAll()
        }
        let bytes = try Files.read(directory("a"))
        #expect(bytes.count == 80_000)
        for start in stride(from: 0, to: bytes.count, by: 100) {
            #expect(Set(bytes[start..<(start + 100)]).count == 1)
        }
    }
}
