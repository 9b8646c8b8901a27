extension HistoryPage {
    /// The page's script, the same for every store, so that its hash can be named in the content security policy.
    ///
    /// A token stays in the dialog's input, which the browser forgets with the page. Orders carry it in a header that pages
    /// of other sites cannot send.
    static let script = """

        "use strict";
        const byID = (id) => document.getElementById(id);
        const store = byID("store"), dialog = byID("dialog");
        let confirmed = null;
        let asked = 0;

        async function ask(method, path, query) {
          const parameters = new URLSearchParams();
          if (store.value) parameters.set("store", store.value);
          for (const [name, value] of Object.entries(query)) if (value !== "") parameters.set(name, value);
          const headers = { Accept: "application/json" };
          const token = byID("token").value.trim();
          if (method === "POST" && token) headers.Authorization = "Bearer " + token;
          const response = await fetch(path + "?" + parameters, { method, headers, cache: "no-store", redirect: "error" });
          const answer = await response.json().catch(() => ({}));
          if (!response.ok) throw new Error(answer.detail || "status " + response.status);
          return answer;
        }
        function element(name, text, kind) {
          const made = document.createElement(name);
          made.textContent = text;
          if (kind) made.className = kind;
          return made;
        }
        function button(text, pressed) {
          const made = element("button", text);
          made.addEventListener("click", pressed);
          return made;
        }
        function row(cells, kind, name) {
          const made = element("tr", "", kind);
          for (const cell of cells) {
            const isNumber = typeof cell === "number";
            const place = element(name || "td", cell instanceof Node ? "" : cell ?? "–", isNumber ? "number" : "");
            if (cell instanceof Node) place.append(cell);
            made.append(place);
          }
          return made;
        }
        function fill(table, titles, rows) {
          table.replaceChildren(...(rows.length ? [row(titles, "", "th"), ...rows] : []));
        }
        function tell(error) {
          byID("problem").textContent = error ? error.message : "";
          byID("problem").hidden = !error;
        }
        const attempt = (work) => () => { tell(null); work().catch(tell); };

        const value = (member) => member === null || member === undefined ? "none" : JSON.stringify(member);
        const isPrice = (member) => member.member.startsWith("price");
        function changes(difference) {
          const members = difference.changed.flatMap((product) => product.members.map((member) => [product.id, member]));
          const sorted = [...members.filter(([, member]) => isPrice(member)), ...members.filter(([, member]) => !isPrice(member))];
          return [
            ...sorted.map(([id, member]) =>
              ({ cells: [id, member.member, value(member.from), value(member.to)], kind: isPrice(member) ? "price" : "" })),
            ...difference.added.map((id) => ({ cells: [id, "added", "", ""], kind: "" })),
            ...difference.removed.map((id) => ({ cells: [id, "removed", "", ""], kind: "" })),
          ];
        }

        function open(question, difference, action) {
          byID("question").textContent = question;
          byID("counts").textContent = "";
          fill(byID("difference"), [], []);
          if (difference) {
            const counts = difference.counts;
            byID("counts").textContent = counts.added + " added, " + counts.removed + " removed, " + counts.changed
              + " changed, " + difference.priceChanges + " of these in price"
              + (difference.truncated ? "; the first are listed" : "");
            fill(byID("difference"), ["product", "member", "before", "after"],
              changes(difference).map((change) => row(change.cells, change.kind)));
          }
          byID("order").hidden = byID("confirm").hidden = !action;
          byID("confirm").textContent = action ? action.name : "";
          byID("refusal").textContent = "";
          confirmed = action;
          dialog.showModal();
        }
        async function give() {
          const action = confirmed;
          if (!action) return;
          byID("confirm").disabled = true;
          byID("refusal").textContent = "";
          try {
            await ask("POST", action.path, { ...action.query, reason: byID("reason").value });
            byID("reason").value = "";
            dialog.close();
            await show();
          } catch (error) {
            byID("refusal").textContent = error.message;
          } finally {
            byID("confirm").disabled = false;
          }
        }

        async function compare(from, to) {
          open("From generation " + from + " to " + to, await ask("GET", "/diff", { from, to }), null);
        }
        async function pin(generation) {
          const difference = await ask("GET", "/diff", { from: "current", to: generation }).catch(() => null);
          open("Serve generation " + generation + " until it is unpinned?", difference,
            { name: "Pin generation " + generation, path: "/pin", query: { generation } });
        }
        async function unpin(pin) {
          const difference = await ask("GET", "/diff", { from: pin.generation, to: "newest" }).catch(() => null);
          open("Serve the newest generation in place of " + pin.generation + "?", difference,
            { name: "Unpin", path: "/unpin", query: { confirm: "1" } });
        }

        async function show() {
          const turn = ++asked;
          const history = await ask("GET", "/history", {});
          if (turn !== asked) return;
          const pinned = history.pin;
          const line = byID("pin");
          line.className = pinned ? "pinned" : "";
          line.textContent = "store " + history.store + ": " + (pinned
            ? "generation " + pinned.generation + " is pinned since " + pinned.at + " by " + pinned.by
              + (pinned.reason ? ": " + pinned.reason : "") + " "
            : "nothing is pinned");
          if (pinned) line.append(button("Unpin…", attempt(() => unpin(pinned))));
          const generations = history.generations;
          fill(byID("generations"),
            ["generation", "revision", "fetched", "source", "products", "bytes", "added", "removed", "changed", "", ""],
            generations.map((one, index) => {
              const before = generations[index + 1];
              return row([
                one.generation, one.revision.slice(0, 12), one.fetchedAt, one.origin, one.products, one.bytes,
                one.added, one.removed, one.changed,
                before ? button("Difference", attempt(() => compare(before.generation, one.generation))) : "",
                button("Pin…", attempt(() => pin(one.generation))),
              ], pinned && pinned.generation === one.generation ? "pinned" : "");
            }));
          return generations;
        }
        async function trace() {
          const id = byID("product-id").value;
          if (!id) return;
          const turn = asked + 1;
          const generations = await show();
          if (!generations) return;
          const rows = [];
          const titles = ["generation", "fetched", "member", "before", "after"];
          fill(byID("changes"), titles, rows);
          for (let index = 0; index + 1 < generations.length && turn === asked; index += 1) {
            const one = generations[index];
            const difference = await ask("GET", "/diff", { from: generations[index + 1].generation, to: one.generation, id });
            for (const change of changes(difference)) {
              rows.push(row([one.generation, one.fetchedAt, ...change.cells.slice(1)], change.kind));
            }
            if (turn === asked) fill(byID("changes"), titles, rows);
          }
          if (turn === asked && !rows.length) {
            byID("changes").replaceChildren(row(["no change in " + generations.length + " generations"]));
          }
        }

        byID("reload").addEventListener("click", attempt(show));
        byID("trace").addEventListener("click", attempt(trace));
        byID("confirm").addEventListener("click", give);
        byID("cancel").addEventListener("click", () => dialog.close());
        const entered = (id, work) => byID(id).addEventListener("keydown", (event) => { if (event.key === "Enter") work(); });
        entered("store", attempt(show));
        entered("product-id", attempt(trace));
        store.value = new URLSearchParams(location.search).get("store") ?? "";
        attempt(show)();

        """
}
