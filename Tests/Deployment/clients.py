"""Clients that generators write from `/openapi.json` ask a service, and lose nothing of what it answers.

The catalogue has a product of each kind, variants, and categories in every form. The client of openapi-python-client gives
lists one parameter for each element, and the models of datamodel-code-generator read the same answers.
"""

import importlib
import json
import sys
from pathlib import Path
from subprocess import run as call
from types import ModuleType

from programs import HERE, Failure, Programs, ask, free_ports, parser, run, status, until

PRODUCTS = HERE / "Clients" / "products.json"
CONFIG = """
http: {{ listen: "127.0.0.1:{port}" }}
admin: {{ listen: "127.0.0.1:{admin}" }}
stores: {{ disk: {{ type: json_file, directory: {folder}/data, keep_for: {{ all: 1h }} }} }}
providers:
  source: {{ type: file, path: {folder}/products.json, decode: {{ unknown_kinds: keep }} }}
  storefront: {{ type: memory, ttl: 1s, upstream: {{ type: caching, store: disk, upstream: source }} }}
serve: storefront
"""
KINDS = {"1": "PhysicalProduct", "2": "DigitalProduct", "3": "PhysicalProduct", "4/5": "SubscriptionProduct",
         "5": "GiftCardProduct", "6": "BundleProduct", "é": "OtherProduct"}


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--generators", type=Path, default=Path(sys.executable).parent,
                           help="the folder of the generators' programs")
    options = arguments.parse_args()
    return run("clients", lambda programs: drill(programs, options), most_seconds=300)


def drill(programs: Programs, options) -> None:
    folder = programs.folder
    port, admin = free_ports(2)
    (folder / "products.json").write_text(PRODUCTS.read_text())
    (folder / "larder.yaml").write_text(CONFIG.format(port=port, admin=admin, folder=folder))
    service = programs.start("larder", [options.larder, "serve", "--config", folder / "larder.yaml"])
    until(lambda: status(port, "/products") == 200, "the catalogue is served", service)
    (folder / "openapi.json").write_bytes(ask(port, "/openapi.json")[2])
    sys.path.append(str(folder))
    whole = json.loads(ask(port, "/products")[2])["products"]
    client = Client(generated(folder, options.generators), port)
    client.check_kinds(whole)
    client.check_members()
    client.check_queries()
    client.check_errors()
    client.check_changes(folder / "products.json")
    print(f"openapi-python-client: {len(whole)} products of {len(KINDS)} kinds read and asked for")
    check_models(modelled(folder, options.generators), whole)
    print("datamodel-code-generator: its models read the same")


def expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise Failure(f"{what}: {found!r} instead of {wanted!r}")


def generate(*words) -> None:
    done = call([str(word) for word in words], capture_output=True, text=True, timeout=120)
    output = done.stdout + done.stderr
    if done.returncode != 0 or "WARNING parsing" in output or "Unable to" in output:
        raise Failure(f"{words[0]}:\n{output[-3000:]}")


def generated(folder: Path, generators: Path) -> ModuleType:
    """The package of the client."""
    # Without hooks that lay the code out by another program.
    (folder / "generator.yaml").write_text("post_hooks: []\n")
    generate(generators / "openapi-python-client", "generate", "--path", folder / "openapi.json", "--config",
             folder / "generator.yaml", "--meta", "none", "--output-path", folder / "shop_client", "--fail-on-warning")
    return importlib.import_module("shop_client")


def modelled(folder: Path, generators: Path) -> ModuleType:
    generate(generators / "datamodel-codegen", "--input", folder / "openapi.json", "--input-file-type", "openapi",
             "--output-model-type", "pydantic_v2.BaseModel", "--output", folder / "shop_models.py")
    return importlib.import_module("shop_models")


class Client:
    """The generated client, with the operations by their names."""

    def __init__(self, package: ModuleType, port: int):
        self.client = package.Client(base_url=f"http://127.0.0.1:{port}")
        self.models = importlib.import_module(f"{package.__name__}.models")
        self.operations = f"{package.__name__}.api.default"

    def ask(self, operation: str, *words, **parameters):
        module = importlib.import_module(f"{self.operations}.{operation}")
        return module.sync_detailed(*words, client=self.client, **parameters)

    def page(self, **parameters):
        return self.ask("list_products", **parameters).parsed

    def ids(self, **parameters) -> list[str]:
        return [product.id for product in self.page(**parameters).products]

    def check_kinds(self, whole: list[dict]) -> None:
        page = self.page()
        expect([product.to_dict() for product in page.products], whole, "the catalogue, read and written again")
        expect({product.id: type(product).__name__ for product in page.products}, KINDS, "the kinds")
        for id, kind in KINDS.items():
            expect(type(self.ask("show_product", id).parsed).__name__, kind, f"the product {id}")

    def check_members(self) -> None:
        products = {product.id: product for product in self.page().products}
        shirt, hat = products["1"], products["3"]
        expect([(each.sku, each.price.amount, each.stock) for each in shirt.variants],
               [("SH-S", 19.99, 3), ("SH-L", 24.5, 0)], "the variants")
        expect((shirt.price_range.min_, shirt.price_range.max_), (19.99, 24.5), "the range of prices")
        expect(shirt.images, ["https://shop.example/1.png", "https://shop.example/2.png"], "the images")
        expect(shirt.category, ["wear", "men"], "categories that are texts")
        expect([getattr(each, "name", each) for each in hat.category], ["hats", "men", "sale"], "categories with ids")
        expect(products["4/5"].category.path, "a, b", "one category that is an object")
        expect((hat.price_range, hat.variants, hat.images), ("low", "none", {"large": "u"}), "the source's own forms")

    def check_queries(self) -> None:
        models = self.models
        expect(self.ids(category=["wear", "music"]), ["1", "2", "3", "6"], "two categories")
        expect(self.ids(category=["men"], type_=["physical", "bundle"]), ["1", "3"], "one category, two kinds")
        expect(self.ids(category=["a\\, b", "música"]), ["4/5", "é"], "a comma, and a letter beyond ASCII")
        expect(self.ids(ids=["5", "4/5", "é"]), ["4/5", "5", "é"], "by id")
        expect(self.ids(sort=[models.ListProductsSortItem("-sales"), models.ListProductsSortItem("id")])[:3],
               ["2", "1", "3"], "two keys of order")
        expect(self.ids(min_price=9.5, max_price=19.99, popular=False), ["1", "3", "4/5", "5"], "a range of prices")
        part = self.page(fields=["name", "priceRange"]).products[0]
        expect((type(part).__name__, sorted(part.to_dict())), ("ProductPart", ["id", "name", "priceRange", "type"]),
               "members by name")
        shown = self.page(view=models.ListProductsView.DISPLAY).products[0]
        expect((type(shown).__name__, shown.price_label), ("DisplayedProduct", "from 19.99 EUR"), "the display")
        page, ids = self.page(limit=3), []
        while True:
            ids += [product.id for product in page.products]
            if not page.next_:
                break
            page = self.page(limit=3, cursor=page.next_)
        expect(ids, list(KINDS), "the pages, one after the other")

    def check_errors(self) -> None:
        refused = self.ask("list_products", limit=2000)
        expect((refused.status_code, type(refused.parsed).__name__, refused.parsed.parameter),
               (400, "Problem", "limit"), "a limit that is too high")
        expect(self.ask("list_products", cursor="x" * 36).parsed.parameter, "cursor", "a cursor of nothing")
        missing = self.ask("show_product", "none")
        expect((missing.status_code, missing.parsed.title), (404, "Not Found"), "a product that is not there")
        tag = self.ask("list_products").headers["ETag"]
        expect(self.ask("list_products", if_none_match=tag).status_code, 304, "a copy that is current")
        for operation in ("livez", "readyz", "healthz", "openapi", "list_products_head"):
            expect(self.ask(operation).status_code, 200, operation)

    def check_changes(self, file: Path) -> None:
        revision = self.ask("list_products").headers["ETag"].strip('"')[:32]
        file.write_text(file.read_text().replace("0.99", "0.89"))
        until(lambda: revision not in self.ask("list_products").headers["ETag"], "the new price is served", pause=0.2)
        changes = self.ask("list_changes", since=revision)
        if changes.status_code != 200:
            raise Failure(f"changes since {revision}: {changes.content}")
        expect([(product.id, product.price.amount) for product in changes.parsed.changed], [("2", 0.89)], "the change")
        expect((changes.parsed.added, changes.parsed.removed), ([], []), "no other change")


def check_models(models: ModuleType, whole: list[dict]) -> None:
    page = models.ProductsPage.model_validate({"products": whole, "total": len(whole)})
    expect([type(product.root).__name__ for product in page.products], [KINDS[product["id"]] for product in whole],
           "the kinds of the models")
    expect(page.model_dump(mode="json", exclude_unset=True)["products"], whole, "the models, written again")


if __name__ == "__main__":
    sys.exit(main())
