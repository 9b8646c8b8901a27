internal import HTTPServer

/// How much room there is for answers that are made about one catalogue, beside the bytes that all its clients share.
struct AnswerRoom: Sendable {
    let living: LivingBytes
    /// How many bytes of such answers there may be, those about other revisions included.
    let limit: Int

    /// An answer, counted as long as anybody holds its body.
    /// - Parameters:
    ///   - known: an answer that takes no room when it is what `make` gives: it is shared, or counted already.
    ///   - make: not called when there is no room for anything.
    /// - Throws: `TooManyAnswers`, or what `make` throws.
    func answer(besides known: EncodedAnswer? = nil, make: () throws -> EncodedAnswer) async throws -> EncodedAnswer {
        await living.makeRoom(for: 1, upTo: limit)
        guard living.count < limit else { throw TooManyAnswers() }
        let answer = try make()
        if answer === known { return answer }
        let size = answer.representation.body.count
        await living.makeRoom(for: size, upTo: limit)
        return answer.holding(try living.claim(size, upTo: limit))
    }
}
