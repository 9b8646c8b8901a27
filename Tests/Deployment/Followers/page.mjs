// Runs the page's follower in Node: a file that is renamed into place stands for the browser's database.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, base, path, every, staleAfter] = process.argv.slice(2);
const { Follower } = await import(pathToFileURL(module).href);

class FileCopy {
  kept = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;

  async load() {
    return this.kept;
  }

  async save(state, { since, put, removed }) {
    if (since !== undefined && since !== this.kept?.state.revision) throw new Error("another revision");
    const products = new Map(since ? this.kept.products.map((product) => [product.id, product]) : []);
    for (const product of put) products.set(product.id, product);
    for (const id of removed) products.delete(id);
    const kept = { state, products: [...products.values()] };
    writeFileSync(`${path}.new`, JSON.stringify(kept));
    renameSync(`${path}.new`, path);
    this.kept = kept;
  }
}

const options = { every: Number(every), spread: 0.2, longestPause: 1, staleAfter: Number(staleAfter) };
const follower = new Follower(base, new FileCopy(), options);
const report = () => console.log(JSON.stringify({
  revision: follower.state?.revision ?? null, products: follower.products.size, pinned: follower.state?.pinned ?? null,
  age: Number.isFinite(follower.age) ? follower.age : null, stale: follower.isStale, trouble: follower.trouble ?? null,
}));
follower.onchange = report;
await follower.start();
setInterval(report, 200);
