// Keeps the catalogue in a page: an event stream announces a revision, and `/changes` leads to it.
//
//   import { Follower } from "./page.js";
//   import { IndexedDBCopy } from "./indexeddb.js";
//   const follower = new Follower("https://larder.example", new IndexedDBCopy("catalogue"));
//   follower.onchange = () => draw(follower.products, follower.age, follower.isStale);
//   await follower.start();

export type Product = { id: string; type: string; [member: string]: unknown };

/** What a copy keeps beside the products. `form` is the rest of the `ETag`: Larder may write the same differently. */
export type State = { revision: string; form: string; confirmed: number; pinned: boolean };

type Changes = { since: string; added: Product[]; changed: Product[]; removed: string[] };

/** The step from a revision, or from nothing. */
export type Change = { since?: string; put: Product[]; removed: string[] };

/** A place that outlives the page. `save` keeps products and state in one step, and fails at another revision. */
export interface Copy {
  load(): Promise<{ state: State; products: Product[] } | undefined>;
  save(state: State, change: Change): Promise<void>;
}

class Trouble extends Error {
  /** The seconds for which the server wants to be left alone. */
  wait: number;

  constructor(message: string, wait = 0) {
    super(message);
    this.wait = wait;
  }
}

export class Follower {
  products: ReadonlyMap<string, Product> = new Map();
  state: State | undefined;
  trouble: string | undefined;
  onchange: () => void = () => {};
  /** Seconds between two questions without an announcement; beyond `staleAfter` the data are stale. */
  options = { every: 30, staleAfter: 300, spread: 2, longestPause: 60 };
  #base: string;
  #copy: Copy;
  #announced = "";
  #wake: () => void = () => {};
  #stream: EventSource | undefined;
  #isStopped = false;

  constructor(base: string, copy: Copy, options: Partial<Follower["options"]> = {}) {
    this.#base = base;
    this.#copy = copy;
    Object.assign(this.options, options);
  }

  /** Seconds since the source confirmed the catalogue; infinite if unknown, as after the clock was set back. */
  get age(): number {
    const age = (Date.now() - (this.state?.confirmed || Infinity)) / 1000;
    return age >= 0 ? age : Infinity;
  }

  get isStale(): boolean {
    return this.age > this.options.staleAfter;
  }

  async start(): Promise<void> {
    const kept = await this.#copy.load().catch(console.warn);
    if (kept) this.#show(kept.state, new Map(kept.products.map((product) => [product.id, product])));
    this.#listen(0);
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stream?.close();
    this.#wake();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#isStopped; ) {
      try {
        await this.#step();
        failures = 0;
        this.trouble = undefined;
        // A cache on the way may not have the announced revision yet.
        const isBehind = this.#announced !== "" && this.#announced !== this.state?.revision;
        await this.#pause(isBehind ? this.options.spread : this.options.every, true);
        // All pages hear of a revision at once, and should not ask at once.
        await this.#pause(Math.random() * this.options.spread);
      } catch (error) {
        this.trouble = String(error);
        this.onchange();
        await this.#pause(Math.max(error instanceof Trouble ? error.wait : 0, this.#backoff(failures++)));
      }
    }
  }

  /** Opens a stream. Browsers do so themselves after a lost connection, but not after an answer such as a 502. */
  #listen(failures: number): void {
    if (this.#isStopped) return;
    const stream = new EventSource(`${this.#base}/changes${this.state ? `?since=${this.state.revision}` : ""}`);
    const announce = (event: MessageEvent) => {
      this.#announced = event.lastEventId;
      this.#wake();
    };
    stream.addEventListener("revision", announce);
    stream.addEventListener("gap", announce);
    stream.onopen = () => (failures = 0);
    stream.onerror = () => {
      this.#announced = "";
      if (stream.readyState !== EventSource.CLOSED) return;
      setTimeout(() => this.#listen(failures + 1), this.#backoff(failures) * 1000);
    };
    this.#stream = stream;
  }

  /** Asks for changes once. */
  async #step(): Promise<void> {
    const before = this.state;
    if (!before) return this.#readWhole();
    const { response, state, answer } = await this.#ask(`/changes?since=${before.revision}`);
    if (response.status === 410 || !state || state.form !== before.form) return this.#readWhole();
    const { since, added, changed, removed } = answer as Changes;
    const products = new Map(this.products);
    const fits =
      since === before.revision && added.every(({ id }) => !products.has(id)) &&
      changed.every(({ id }) => products.has(id)) && removed.every((id) => products.delete(id));
    if (!fits) return this.#readWhole();
    const put = [...added, ...changed];
    for (const product of put) products.set(product.id, product);
    await this.#keep(state, products, { since, put, removed });
  }

  async #readWhole(): Promise<void> {
    const { state, answer } = await this.#ask("/products");
    const products = new Map<string, Product>(answer.products?.map((product: Product) => [product.id, product]));
    if (!state) throw new Trouble("/products has no ETag with a revision; is http.pagination.default_limit 0?");
    if (products.size !== answer.total) throw new Trouble(`${products.size} of ${answer.total} products`);
    await this.#keep(state, products, { put: [...products.values()], removed: [] });
  }

  /** Another tab may have led the copy on. Where there is no copy, as in a private window, the page goes on without. */
  async #keep(state: State, products: ReadonlyMap<string, Product>, change: Change): Promise<void> {
    const whole = { put: [...products.values()], removed: [] };
    await this.#copy.save(state, change).catch(() => this.#copy.save(state, whole)).catch(console.warn);
    this.#show(state, products);
  }

  #show(state: State, products: ReadonlyMap<string, Product>): void {
    this.state = state;
    this.products = products;
    this.onchange();
  }

  /** Without the browser's cache: a 304 is hardly shorter than no changes, and a cut one looks like a whole one. */
  async #ask(path: string) {
    const asked = Date.now();
    const limit = new AbortController();
    setTimeout(() => limit.abort(), 30_000);
    const response = await fetch(this.#base + path, { cache: "no-store", signal: limit.signal });
    const field = (name: string) => response.headers.get(name) ?? "";
    if (!response.ok && response.status !== 410) {
      const wait = Number(field("Retry-After")) || (Date.parse(field("Retry-After")) - asked) / 1000 || 0;
      throw new Trouble(`${path}: ${response.status}`, Math.min(wait, 3600));
    }
    const tag = /"(?:[0-9a-f]{32}-)?([0-9a-f]{32})-([^"]*?)(?:-gzip)?"/.exec(field("ETag"));
    const age = [...field("Cache-Status").matchAll(/;\s*age=(\d+)/g)].at(-1)?.[1];
    const state: State | undefined = tag?.[1] ? {
      revision: tag[1], form: tag[2] ?? "", pinned: field("Cache-Status").includes("detail=pinned"),
      confirmed: age ? asked - (Number(age) + Number(field("Age"))) * 1000 : 0,
    } : undefined;
    return { response, state, answer: await response.json() };
  }

  #pause(seconds: number, endsByAnnouncement = false): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      this.#wake = () => {
        if (!endsByAnnouncement && !this.#isStopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #backoff(failures: number): number {
    return Math.min(this.options.longestPause, 0.5 * 2 ** failures) * (0.5 + Math.random() / 2);
  }
}
