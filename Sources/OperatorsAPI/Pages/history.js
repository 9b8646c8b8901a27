// Looks again every ten seconds, and changes only what has changed, so that focus and choice stay where they are. A token
// stays in the dialog's input, which the browser forgets with the page. Orders carry it in a header that pages of other sites
// cannot send.
"use strict";
const byID = (id) => document.getElementById(id);
const store = byID("store"), dialog = byID("dialog");
const seen = {};
let generations = [], order = null, turn = 0, timer;

async function ask(method, path, query) {
  const parameters = new URLSearchParams();
  if (store.value && path !== "/quarantine" && path !== "/quarantine/accept") parameters.set("store", store.value);
  for (const [name, value] of Object.entries(query)) if (value !== "") parameters.set(name, value);
  const headers = { Accept: "application/json" };
  const token = byID("token").value.trim();
  if (method === "POST" && token) headers.Authorization = "Bearer " + token;
  const response = await fetch(path + "?" + parameters, { method, headers, cache: "no-store", redirect: "error" });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail || "status " + response.status);
  return answer;
}
const tell = (error) => { byID("problem").textContent = error?.message ?? ""; byID("problem").hidden = !error; };
const attempt = (work) => () => { tell(null); return work().catch(tell); };

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
const button = (text, work, properties) =>
  make("button", { type: "button", onclick: work, ...properties }, text);
const unseen = /[\u0000-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const text = (value, kind) => make("span", { className: kind ?? "", dir: "auto" }, value.replace(unseen, "\ufffd"));
const number = (value) => Number(value).toLocaleString("en");
const bytes = (size) => size < 1e3 ? size + " B" : size < 1e6 ? (size / 1e3).toFixed(1) + " kB" : (size / 1e6).toFixed(1) + " MB";
const muted = (...children) => make("p", { className: "muted" }, ...children);
const plural = (count, noun) => number(count) + " " + noun + (count === 1 ? "" : "s");
function distance(date) {
  const seconds = Math.round((Date.now() - date) / 1000), size = Math.abs(seconds);
  const [amount, unit] = size < 90 ? [size, "s"] : size < 5400 ? [size / 60, "min"] : size < 129600 ? [size / 3600, "h"] : [size / 86400, "days"];
  return (seconds < 0 ? "in " : "") + Math.round(amount) + " " + unit + (seconds < 0 ? "" : " ago");
}
function time(iso) {
  const date = new Date(iso);
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" };
  return make("time", { dateTime: iso, title: iso }, date.toLocaleString("en-GB", options) + " ",
    make("span", { className: "ago" }, distance(date)));
}
function table(name, titles, rows) {
  const head = make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)));
  const place = (cell) => typeof cell === "number" ? make("td", { className: "number" }, number(cell)) : make("td", {}, cell);
  const body = rows.map(({ kind, cells }) => make("tr", { className: kind ?? "" }, ...cells.map(place)));
  return make("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: name },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
function fill(place, value, content) {
  const state = JSON.stringify(value);
  for (const time of byID(place).querySelectorAll("time")) time.lastChild.textContent = distance(new Date(time.dateTime));
  if (seen[place] === state) return;
  seen[place] = state;
  const focused = document.activeElement?.id;
  byID(place).replaceChildren(...content());
  if (focused) byID(focused)?.focus();
}

const value = (member) => member === null || member === undefined ? "none" : typeof member === "string" ? member : JSON.stringify(member);
const isPrice = (member) => member.member.startsWith("price");
function share({ from, to }) {
  const ratio = Number(to) / Number(from);
  if (typeof from === "object" || typeof to === "object" || !Number.isFinite(ratio) || Number(from) === 0) return "";
  return (ratio < 1 ? "−" : "+") + Math.abs((ratio - 1) * 100).toLocaleString("en", { maximumFractionDigits: 1 }) + " %";
}
const product = (id) => button(id, attempt(() => trace(id)), { className: "link", dir: "auto", title: "the past of this product" });
function summary(difference) {
  const { added, removed, changed } = difference.counts;
  const prices = difference.priceChanges;
  return make("p", { className: "counts" },
    text(plural(prices, "changed price"), prices ? "bad" : "none"), text(plural(changed, "changed product"), changed ? "" : "none"),
    text(number(added) + " added", added ? "good" : "none"), text(number(removed) + " removed", removed ? "bad" : "none"),
    difference.truncated ? text("only the first are listed", "warn") : null);
}
function comparison(difference, limit) {
  const members = difference.changed.flatMap(({ id, members }) => members.map((member) => ({ id, ...member })));
  const cells = (change) => [product(change.id), text(change.member, "member"), text(value(change.from)), text(value(change.to)), share(change)];
  const parts = [summary(difference)], rest = (count) => { if (count > 0) parts.push(muted("and " + plural(count, "other"))); };
  for (const [name, list] of [["Prices", members.filter(isPrice)], ["Other members", members.filter((member) => !isPrice(member))]]) {
    if (!list.length) continue;
    parts.push(make("h3", {}, name), table(name, ["product", "member", "before", "after", "change"],
      list.slice(0, limit).map((change) => ({ kind: isPrice(change) ? "price" : "", cells: cells(change) }))));
    rest(list.length - limit);
  }
  for (const [name, ids] of [["Added", difference.added], ["Removed", difference.removed]]) {
    if (!ids.length) continue;
    parts.push(make("h3", {}, name), make("p", { className: "ids" }, ...ids.slice(0, limit).map(product)));
    rest(ids.length - limit);
  }
  return parts;
}
function present(title, difference) {
  byID("difference").replaceChildren(make("h2", { id: "difference-title", tabIndex: -1 }, title), ...comparison(difference, 1000));
  byID("difference-title").focus({ preventScroll: true });
  byID("difference").scrollIntoView();
}

function confirm(wanted, difference) {
  order = wanted;
  byID("question").textContent = order.question;
  byID("effect").replaceChildren(
    muted(difference ? order.compared + ":" : "The two cannot be compared."),
    ...(difference ? comparison(difference, 20) : []));
  byID("confirm").textContent = order.name;
  byID("refusal").textContent = "";
  dialog.showModal();
  byID("reason").focus();
}
async function give() {
  byID("confirm").disabled = true;
  byID("refusal").textContent = "";
  try {
    const { inForce, shared } = await ask("POST", order.path, { ...order.query, reason: byID("reason").value });
    byID("reason").value = "";
    dialog.close();
    byID("done").textContent = order.done + (inForce === false ? " Not all of the graph serves it so yet." : "")
      + (shared === false ? " The other replicas were not told: the shared store cannot be reached." : "");
    await show();
  } catch (error) {
    byID("refusal").textContent = error.message;
  } finally {
    byID("confirm").disabled = false;
  }
}
const preview = async (query, order) => confirm(order, await ask("GET", "/diff", query).catch(() => null));
const askPin = ({ generation }) => preview({ from: "current", to: generation }, {
  question: "Serve generation " + generation + " until it is unpinned?", name: "Pin generation " + generation,
  path: "/pin", query: { generation }, compared: "The generation against what is served now", done: "Generation " + generation + " is pinned.",
});
const askUnpin = ({ generation }) => preview({ from: generation, to: "newest" }, {
  question: "Take the pin off generation " + generation + "?", name: "Unpin generation " + generation,
  path: "/unpin", query: { confirm: "1" }, compared: "The newest generation of the store against what is pinned", done: "Nothing is pinned any more.",
});
const askAccept = (refused) => confirm({
  question: "Serve the catalogue that " + refused.node + " refused?", name: "Accept " + refused.revision.slice(0, 12),
  path: "/quarantine/accept", query: { node: refused.node, revision: refused.revision }, compared: "The refused catalogue against the last good one",
  done: "The catalogue is accepted.",
}, refused.difference);

const quarantine = (list) => list.map((refused) => make("article", { className: "panel bad" },
  make("h2", {}, (refused.heldUntil ? "Held by " : "Refused by ") + refused.node),
  make("p", {}, text(refused.failure.detail)),
  muted("revision ", make("code", {}, refused.revision.slice(0, 12)), " · " + plural(refused.products, "product") + " · since ", time(refused.since),
    ...(refused.heldUntil ? [" · goes through at ", time(refused.heldUntil)] : [])),
  refused.difference ? summary(refused.difference) : null,
  make("p", { className: "actions" },
    refused.difference ? button("Difference", () => present("From the last good catalogue to the refused one", refused.difference), { id: "held-" + refused.node }) : null,
    button("Accept…", () => askAccept(refused), { id: "accept-" + refused.node, className: "strong" }))));
const pinned = (pin) => pin
  ? [make("article", { className: "panel warn" }, make("h2", {}, "Generation " + pin.generation + " is pinned"),
      pin.reason ? make("p", {}, text(pin.reason)) : null,
      pin.written === false ? make("p", {}, text("It is in force, but not on the disk: a restart would forget it.", "bad")) : null,
      muted("since ", time(pin.at), " by ", text(pin.by)),
      make("p", { className: "actions" }, button("Unpin…", attempt(() => askUnpin(pin)), { id: "unpin", className: "strong" })))]
  : [muted("Nothing is pinned.")];
const chosen = {};
function listed(pin) {
  if (!generations.length) return [muted("The store has no generation yet.")];
  const numbers = generations.map((one) => one.generation);
  for (const [name, usual] of [["from", numbers[1] ?? numbers[0]], ["to", numbers[0]]]) {
    if (!numbers.includes(chosen[name])) chosen[name] = usual;
  }
  const radio = (name, { generation }) => make("input", {
    type: "radio", name, value: generation, id: name + "-" + generation, checked: chosen[name] === generation,
    ariaLabel: "compare " + name + " generation " + generation, onchange: () => { chosen[name] = generation; },
  });
  const delta = (one) => one.added === null ? "" : make("span", { className: "delta" },
    text("+" + number(one.added), one.added ? "good" : "none"), text("−" + number(one.removed), one.removed ? "bad" : "none"),
    text("~" + number(one.changed), one.changed ? "" : "none"));
  const action = (one) => one.generation === pin?.generation ? text("pinned", "badge stale")
    : button("Pin…", attempt(() => askPin(one)), { id: "pin-" + one.generation, ariaLabel: "Pin generation " + one.generation });
  return [table("generations", ["from", "to", "generation", "fetched", "source", "products", "changes", "size", "revision", ""],
    generations.map((one) => ({ kind: pin?.generation === one.generation ? "pinned" : "", cells: [
      radio("from", one), radio("to", one), String(one.generation), time(one.fetchedAt), one.origin, one.products, delta(one),
      bytes(one.bytes), make("code", {}, one.revision.slice(0, 12)), action(one)] }))),
    make("p", {}, button("Compare", attempt(compare), { id: "compare", disabled: generations.length < 2 }))];
}
async function compare() {
  const difference = await ask("GET", "/diff", { from: chosen.from, to: chosen.to });
  present("From generation " + chosen.from + " to " + chosen.to, difference);
}
async function trace(id) {
  dialog.close();
  byID("product-id").value = id;
  if (!id) return;
  const mine = ++trace.turn, rows = [], all = generations;
  const put = (note) => byID("changes").replaceChildren(make("p", { className: "muted", role: "status" }, note),
    ...(rows.length ? [table("changes of the product", ["generation", "fetched", "member", "before", "after", "change"], rows)] : []));
  byID("product").scrollIntoView();
  for (let index = 0; index + 1 < all.length; index += 1) {
    put("Looking at generation " + all[index].generation + " …");
    const difference = await ask("GET", "/diff", { from: all[index + 1].generation, to: all[index].generation, id });
    if (mine !== trace.turn) return;
    const row = (member, from, to, kind, change) => rows.push({ kind, cells:
      [String(all[index].generation), time(all[index].fetchedAt), text(member, "member"), text(from), text(to), change] });
    for (const change of difference.changed.flatMap(({ members }) => members)) {
      row(change.member, value(change.from), value(change.to), isPrice(change) ? "price" : "", share(change));
    }
    if (difference.added.length) row("added", "", "", "", "");
    if (difference.removed.length) row("removed", "", "", "price", "");
  }
  put(rows.length ? plural(rows.length, "change") + " in " + plural(all.length, "generation") + "."
    : "No change in " + plural(all.length, "generation") + "; it is the same in all of them, or in none.");
}
trace.turn = 0;

async function show() {
  clearTimeout(timer);
  const mine = ++turn;
  try {
    const [history, { quarantined }] = await Promise.all([store.value ? ask("GET", "/history", {}) : null, ask("GET", "/quarantine", {})]);
    if (mine !== turn) return;
    generations = history?.generations ?? [];
    fill("quarantine", quarantined, () => quarantine(quarantined));
    if (history) {
      fill("pin", [history.store, history.pin], () => pinned(history.pin));
      fill("generations", [history.store, generations, history.pin], () => listed(history.pin));
    }
    tell(null);
  } catch (error) {
    if (mine === turn) tell(error);
  } finally {
    if (mine === turn) timer = setTimeout(watch, 10000);
  }
}
const watch = () => { if (document.hidden || dialog.open) timer = setTimeout(watch, 10000); else show(); };

const traceEntered = attempt(() => trace(byID("product-id").value));
byID("trace").onclick = traceEntered;
byID("confirm").onclick = give;
byID("cancel").onclick = () => dialog.close();
for (const [id, work] of [["product-id", traceEntered], ["reason", give], ["token", give]]) {
  byID(id).onkeydown = (event) => { if (event.key === "Enter" && !event.repeat) work(); };
}
store.addEventListener("change", () => {
  history.replaceState(null, "", "?" + new URLSearchParams({ store: store.value }));
  for (const place of ["difference", "changes"]) byID(place).replaceChildren();
  show();
});
const wanted = new URLSearchParams(location.search).get("store");
if ([...(store.options ?? [])].some((option) => option.value === wanted)) store.value = wanted;
document.addEventListener("visibilitychange", watch);
show();
