// Refreshes the page once a second, and every five seconds in a hidden tab, whose title may be watched. While text is
// selected, only the state changes. When the service has not answered within two seconds, the page turns grey and says so,
// in its title too.
"use strict";
const shown = document.querySelector("main");
const lost = document.getElementById("lost");
let answered = Date.now();
let timer;
function show(page) {
  const state = page.getElementById("state");
  const content = page.querySelector("main");
  if (!state || !content) throw new Error("another page");
  answered = Date.now();
  document.title = page.title;
  document.getElementById("state").replaceWith(state);
  document.body.classList.remove("lost");
  lost.hidden = true;
  if (getSelection().isCollapsed) shown.replaceChildren(...content.childNodes);
}
function showLost() {
  const seconds = Math.round((Date.now() - answered) / 1000);
  const state = document.getElementById("state");
  state.className = "badge lost";
  state.textContent = "no answer";
  document.title = "no answer · larder";
  document.body.classList.add("lost");
  lost.textContent = "The service has not answered for " + seconds + " s. What is shown is as it was at "
    + new Date(answered).toLocaleTimeString() + ".";
  lost.hidden = false;
}
async function watch() {
  clearTimeout(timer);
  try {
    const response = await fetch("/graph.html", { cache: "no-store", signal: AbortSignal.timeout(2000) });
    if (!response.ok) throw new Error(response.statusText);
    show(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    showLost();
  }
  clearTimeout(timer);
  timer = setTimeout(watch, document.hidden ? 5000 : 1000);
}
document.addEventListener("visibilitychange", watch);
timer = setTimeout(watch, 1000);
