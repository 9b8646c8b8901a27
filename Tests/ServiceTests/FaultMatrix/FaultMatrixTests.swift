import Testing

@Suite("The fault matrix", .timeLimit(.minutes(1)))
struct FaultMatrixTests {
    @Test("What is answered, what the upstream sees, what is on the trail", arguments: FaultColumn.all, Fault.allCases)
    func cell(column: FaultColumn, fault: Fault) async throws {
        let expected = try #require(column.cells[fault])
        let seen = try await FaultGraph.observe(fault, through: column)
        #expect(seen == expected)
    }
}
