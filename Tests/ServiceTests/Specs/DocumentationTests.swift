import Configuration
import FileSystem
import GraphTools
import TestSupport
import Testing
import Wiring

@testable import Service

struct DocumentationTests {
    private static let pages = ["README.md"] + Repository.pages
    private static let folder = "Sources/larder/Larder.docc"

    @Test
    func `the reference has what larder components prints of every key and component; make reference writes it`() throws
    {
        let page = try Repository.text("\(Self.folder)/Reference.md")
        let registry = ComponentRegistry.everyFamily
        let reference = ComponentReference(registry: registry, sections: ServiceConfiguration.fields)
        #expect(page.contains("```text\n\(reference.list)```\n"))
        let types = registry.families.flatMap(\.components).map(\.type)
        for name in Set(ServiceConfiguration.fields.map(\.name) + types) {
            let description = try #require(reference.description(of: name))
            #expect(page.contains("### \(name)\n\n```text\n\(description)```\n"), "\(name)")
        }
    }

    @Test(arguments: pages)
    func `files that are named exist, from the root or from Sources`(page: String) throws {
        let text = try Repository.text(page)
        for path in text.matches(of: Self.path).map(\.output.1) {
            #expect(["", "Sources/"].contains { Files.exists("\(Repository.root)/\($0)\(path)") }, "\(path)")
        }
        for link in text.matches(of: /<doc:(\w+)>/).map(\.output.1) {
            #expect(Self.pages.contains("\(Self.folder)/\(link).md"), "\(link)")
        }
    }

    @Test(arguments: pages)
    func `targets of make that are named exist`(page: String) throws {
        let makefile = try Repository.text("Makefile")
        for target in try Repository.text(page).matches(of: /\bmake ([a-z-]+)`/).map(\.output.1) {
            #expect(makefile.contains("\n\(target):"), "\(target)")
        }
    }

    @Test func `tests and drills that show a rule of the fleet exist`() throws {
        let page = try Repository.text("\(Self.folder)/Contributing.md")
        let drills = try ["checks", "faults", "measures"].map { try Repository.text("Tests/Deployment/Fleet/\($0).py") }
        let rows = page.matches(of: /\n\| [^|]+ \| `(Tests\/[^`|]+)` \| ([^|]+) \| (?:`(\w+)`)? \|/)
        #expect(rows.count >= 30)
        for row in rows.map(\.output) {
            #expect(try Repository.text("\(row.1)").contains(row.2), "\(row.2)")
            if let drill = row.3 { #expect(drills.contains { $0.contains("\ndef \(drill)(") }, "\(drill)") }
        }
    }

    @Test func `architecture counts the files of each flow, and names five of them to read first`() throws {
        let page = try Repository.text("\(Self.folder)/Architecture.md")
        let flows = page.split(separator: "\n### ").dropFirst()
        #expect(flows.count == 7)
        for flow in flows {
            let section = flow.prefix(upTo: flow.firstRange(of: "\n## ")?.lowerBound ?? flow.endIndex)
            let paragraphs = section.split(separator: "\n\n")
            let first = paragraphs.filter { $0.hasPrefix(Self.readFirst) }.flatMap { Self.paths(in: $0) }
            let all = paragraphs.filter { !$0.hasPrefix(Self.readFirst) }.flatMap { Self.paths(in: $0) }
            let files = Set(all)
            #expect(files.count == all.count, "\(section.prefix(30))")
            #expect(first.count == 5 && Set(first).count == 5, "\(section.prefix(30))")
            #expect(files.isSuperset(of: first), "\(section.prefix(30))")
            #expect(section.firstMatch(of: /\((\d+) files\)/)?.output.1 == "\(files.count)", "\(section.prefix(30))")
        }
    }

    private static let readFirst = "Read first: "

    private static func paths(in text: Substring) -> [Substring] { text.matches(of: path).map(\.output.1) }

    /// A path in a span of code or as the target of a link.
    private static var path: Regex<(Substring, Substring)> {
        /[`(]((?:[A-Za-z0-9_+.-]+\/)+[A-Za-z0-9_+-]+\.(?:swift|cfg|css|c|html|h|js|json|md|yaml|svg|dict|service)\b)/
    }
}
