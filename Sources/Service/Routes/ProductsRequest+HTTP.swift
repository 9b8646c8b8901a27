internal import HTTPServer
internal import Products

extension ProductsRequest {
    /// What the graph may know of an HTTP request.
    init(_ request: HTTPRequest) {
        self.init(analyticsOptOut: request.header("Sec-GPC") == "1" || request.header("DNT") == "1")
    }
}
