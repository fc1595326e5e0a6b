#include "runtime/report/plot/draw.h"

namespace pmjit {

namespace {

constexpr std::string_view kStyle = R"css(html{color-scheme:light dark}
body{margin:0;background:#ffffff}
main{max-width:1200px;margin:0 auto}
svg{display:block;width:100%;height:auto}
.tip{position:fixed;pointer-events:none;padding:8px 10px;border-radius:6px;
font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
box-shadow:0 2px 10px rgba(0,0,0,.25);max-width:min(640px,90vw)}
.tip b{display:block;margin-bottom:4px}
.tip td:first-child{overflow-wrap:anywhere}
.tip td{padding:1px 8px 1px 0}
.tip td+td{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.tip i{display:inline-block;width:10px;height:10px;margin-right:6px;border-radius:2px}
.key[role=button],.pick{cursor:pointer}
.pick text{text-decoration:underline}.pick.off{opacity:.6}
.off{opacity:.35}
@media (prefers-color-scheme: dark){body{background:#15181d}}
)css";

constexpr std::string_view kScript = R"js("use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("svg"), tip = document.querySelector(".tip");
  const hidden = new Set();
  const cross = document.createElementNS(svg.namespaceURI, "path");
  cross.setAttribute("class", "cross");
  svg.appendChild(cross);

  function toggle(key) {
    const id = key.dataset.for, off = !hidden.has(id);
    if (off) hidden.add(id); else hidden.delete(id);
    document.getElementById(id).style.display = off ? "none" : "";
    key.classList.toggle("off", off);
    key.setAttribute("aria-pressed", String(!off));
  }
  document.querySelectorAll(".key").forEach(function (key) {
    button(key, function () { toggle(key); });
    key.setAttribute("aria-pressed", "true");
  });

  function button(key, act) {
    key.setAttribute("role", "button");
    key.setAttribute("tabindex", "0");
    key.addEventListener("click", act);
    key.addEventListener("keydown", function (event) {
      if (event.key !== "Enter") if (event.key !== " ") return;
      event.preventDefault();
      act();
    });
  }
  function pick(chosen) {
    document.querySelectorAll(".pick").forEach(function (each) {
      if (each.dataset.panel !== chosen.dataset.panel) return;
      const on = each === chosen, id = "p" + each.dataset.panel + each.dataset.show;
      document.getElementById(id).style.display = on ? "" : "none";
      each.classList.toggle("off", !on);
      each.setAttribute("aria-pressed", String(on));
    });
  }
  document.querySelectorAll(".pick").forEach(function (each) {
    button(each, function () { pick(each); });
    each.setAttribute("aria-pressed", String(!each.classList.contains("off")));
  });

  function text(value, heat) {
    if (!Array.isArray(value)) return String(value);
    if (heat) return "largest " + value[0] + ", mean " + value[1];
    return value[0] + " \u2026 " + value[1];
  }
  function element(parent, name, content) {
    const made = parent.appendChild(document.createElement(name));
    if (content !== undefined) made.textContent = content;
    return made;
  }
  // Of lines the nearest time, of cells the last that has begun.
  function timeAt(times, x, heat) {
    let best = 0;
    times.forEach(function (at, i) {
      if (heat ? x >= at : Math.abs(times[best] - x) > Math.abs(at - x)) best = i;
    });
    return best;
  }
  // Of a value that is not there, under the pointer.
  function absence(x, host) {
    const pause = data.pauses[host].some(function (one) {
      return !(one[0] > x || x > one[1]);
    });
    return pause ? "no recording" : "no value";
  }
  function colour(id) {
    const group = document.getElementById(id);
    return group ? getComputedStyle(group).stroke : null;
  }
  function show(event, number) {
    const panel = data.panels[number], times = panel.heat ? data.heat : data.lines;
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const pointer = (event.clientX - box.left) * scale;
    const y = (event.clientY - box.top) * scale;
    if (times.x.length === 0) return;
    const share = (pointer - panel.left) / panel.width;
    const at = timeAt(times.x, share, panel.heat);
    tip.replaceChildren();
    element(tip, "b", times.t[at] + (panel.units ? ", " + panel.units : ""));
    const table = element(tip, "table");
    const row = Math.floor((y - panel.top) / panel.row);
    panel.series.forEach(function (series, i) {
      const id = "p" + number + "s" + i, value = series.values[at];
      if (panel.heat ? i !== row : hidden.has(id)) return;
      const line = element(table, "tr"), name = element(line, "td");
      const stroke = colour(id);
      if (stroke) element(name, "i").style.background = stroke;
      name.appendChild(document.createTextNode(series.label));
      element(line, "td", value === null ? absence(share, series.host) : text(value, panel.heat));
    });
    const x = panel.heat ? pointer : panel.left + times.x[at] * panel.width;
    cross.setAttribute("d", "M" + x + " " + panel.top + "v" + panel.height);
    tip.hidden = false;
    const right = event.clientX + tip.offsetWidth + 24 > innerWidth;
    const below = event.clientY + tip.offsetHeight + 24 > innerHeight;
    const left = right ? event.clientX - tip.offsetWidth - 14 : event.clientX + 14;
    const top = below ? event.clientY - tip.offsetHeight - 14 : event.clientY + 14;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.max(4, top) + "px";
  }
  document.querySelectorAll(".hit").forEach(function (hit) {
    hit.addEventListener("pointermove", function (event) {
      show(event, Number(hit.dataset.panel));
    });
    hit.addEventListener("pointerleave", function () {
      tip.hidden = true;
      cross.removeAttribute("d");
    });
  });
}());
)js";

}  // namespace

std::string_view page_style() { return kStyle; }
std::string_view page_script() { return kScript; }

}  // namespace pmjit
