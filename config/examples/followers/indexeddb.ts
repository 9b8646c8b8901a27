import type { Change, Copy, State } from "./page.js";

/** A copy in the browser's database, of which each step is one transaction. */
export class IndexedDBCopy implements Copy {
  #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async load() {
    const transaction = await this.#begin("readonly");
    const [products, state] = [transaction.objectStore("products").getAll(), transaction.objectStore("state").get(1)];
    await done(transaction);
    return state.result ? { state: state.result, products: products.result } : undefined;
  }

  async save(state: State, { since, put, removed }: Change): Promise<void> {
    const transaction = await this.#begin("readwrite");
    const [products, states] = [transaction.objectStore("products"), transaction.objectStore("state")];
    const kept = states.get(1);
    kept.onsuccess = () => {
      if (since !== undefined && kept.result?.revision !== since) return transaction.abort();
      if (since === undefined) products.clear();
      for (const product of put) products.put(product);
      for (const id of removed) products.delete(id);
      states.put(state, 1);
    };
    return done(transaction);
  }

  /** Opens the database each time, since the browser may have closed it. */
  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(this.#name, 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore("products", { keyPath: "id" });
        opening.result.createObjectStore("state");
      };
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const transaction = database.transaction(["products", "state"], mode);
    database.close();
    return transaction;
  }
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("another revision"));
  });
}
