import Configuration
import Testing

/// Bad configs and exactly what is said about them.
struct BadConfigTests {
    @Test("every problem is reported with its place, its reason and what was meant", arguments: BadConfig.all)
    func everyProblemIsReported(_ bad: BadConfig) {
        #expect(Checked.problems(bad.yaml) == bad.problems)
    }
}
