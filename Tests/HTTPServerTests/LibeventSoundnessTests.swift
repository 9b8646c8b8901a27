import Testing

@testable import HTTPServer

struct LibeventSoundnessTests {
    @Test func theOneThatRunsHereIsSound() {
        #expect(LibeventSoundness.find() == .sound)
    }

    @Test(arguments: [
        (0x0201_0b00, 1, LibeventSoundness.tooOld), (0x0200_1600, 0, .tooOld), (0x0201_0c00, 1, .sound),
        (0x0201_0c00, 0, .unpatched), (0x0202_0100, 0, .unpatched), (0x0201_0d00, -1, .untried),
    ])
    func theVersionCountsFirstAndThenTheTrial(number: UInt32, trial: Int32, soundness: LibeventSoundness) {
        #expect(LibeventSoundness(number: number) { trial } == soundness)
    }
}
