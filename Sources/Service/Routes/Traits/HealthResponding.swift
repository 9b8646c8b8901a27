internal import HTTPServer

/// Answers probes: short texts that nobody may keep.
protocol HealthResponding: Sendable {}

extension HealthResponding {
    /// 200 or 503 with a text.
    func health(isGood: Bool, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: isGood ? .ok : .serviceUnavailable,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: HTTPBody(text: text))
    }
}
