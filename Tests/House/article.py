"""Builds the code of PolymorphicCodable's article in a package outside the repository that depends on the library alone, and
has the compiler refuse what would lose a discriminator."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARTICLE = ROOT / "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md"
SCRATCH = ROOT / ".build/article"
IMPORTS = "import Foundation\nimport PolymorphicCodable\n\n"
MANIFEST = f"""// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "article",
    dependencies: [.package(name: "larder", path: "{ROOT}")],
    targets: [
        .target(name: "Article", dependencies: [.product(name: "PolymorphicCodable", package: "larder")], path: ".")
    ]
)
"""
REFUSED = [
    ("struct Draft: Codable { var first: Message }", "'Draft' does not conform to protocol 'Decodable'"),
    ("struct Draft: Codable { @PolymorphicValue var first: TextMessage }", "be equivalent"),
    ("struct Cart: Codable { var payment: any Payment }", "'Cart' does not conform to protocol 'Encodable'"),
    ("func f(_ payment: any Payment) throws -> Data { try JSONEncoder().encode(payment) }", "conform to 'Encodable'"),
    ("struct Cart: Codable { @PolymorphicValue var payment: any Payment }", "cannot conform to 'PolymorphicForm'"),
    ("final class Sticker: Message, Decodable { func encode(to encoder: any Encoder) throws {} }",
     "overrides a 'final' instance method"),
    ("class Note: PolymorphicBaseClass {\n"
     "    enum Kinds: String, PolymorphicFamily {\n"
     "        case note\n        typealias Base = Note\n        var type: any Decodable.Type { Sheet.self }\n    }\n"
     "    func encodeMembers(to encoder: any Encoder) throws {}\n}\n"
     "final class Sheet: Note, Decodable { init(from decoder: any Decoder) throws {} }",
     "the base class declares"),
    ("class Note: Codable {}\n"
     "enum NoteKind: String, PolymorphicFamily {\n"
     "    case note\n    typealias Base = Note\n    var type: any Decodable.Type { Note.self }\n}",
     "a plain encode would lose the discriminator"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--swift", default="swift")
    swift = parser.parse_args().swift
    blocks = re.findall(r"^```swift\n(.*?)^```$", ARTICLE.read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        package, code, wrong = Path(folder), Path(folder, "Article.swift"), Path(folder, "Wrong.swift")
        (package / "Package.swift").write_text(MANIFEST)
        code.write_text(IMPORTS + "\n".join(blocks))
        subprocess.run([swift, "build", "--package-path", package, "--scratch-path", SCRATCH], check=True)
        typecheck = [f"{swift}c", "-typecheck", "-swift-version", "6", "-I", SCRATCH / "debug/Modules", code, wrong]
        for text, complaint in REFUSED:
            wrong.write_text(IMPORTS + text + "\n")
            output = subprocess.run(typecheck, capture_output=True, text=True)
            if output.returncode == 0 or complaint not in output.stderr:
                sys.exit(f"expected to be refused with {complaint!r}: {text}\n{output.stderr}")
    print(f"{len(blocks)} blocks build, {len(REFUSED)} mistakes are refused")


main()
