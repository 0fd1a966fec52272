/** The style sheet of a report: light, dark and print. */

export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1a1d21; --faint: #5a626c; --rule: #d9dde2; --card: #f4f6f8;
  --sale: #1f6fb2; --refund: #b86e00; --chargeback: #a3195b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e8eaed; --faint: #a0a8b2; --rule: #363c43; --card: #1e2227;
    --sale: #64aef0; --refund: #f0ad4e; --chargeback: #f279ae;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 62rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1 { margin: 0; font-size: 1.8rem; line-height: 1.2; }
h2 { margin: 3rem 0 0.5rem; font-size: 1.3rem; }
p { margin: 0.3rem 0; color: var(--faint); overflow-wrap: anywhere; }
.warning { color: var(--ink); border-left: 0.25rem solid var(--refund); padding-left: 0.75rem; }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem; margin: 1.5rem 0 0; }
.totals div { background: var(--card); border-radius: 0.5rem; padding: 0.75rem 1rem; border-top: 0.25rem solid var(--rule); }
.totals .sale { border-color: var(--sale); }
.totals .refund { border-color: var(--refund); }
.totals .chargeback { border-color: var(--chargeback); }
.totals .net { border-color: var(--ink); }
.totals dt { color: var(--faint); }
.totals dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
figure { margin: 1rem 0; overflow-x: auto; }
figcaption { font-weight: 600; overflow-wrap: anywhere; }
.key { font-weight: 400; color: var(--faint); margin-left: 1rem; white-space: nowrap; }
.key::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; background: currentColor; }
.key.sale::before { background: var(--sale); }
.key.refund::before { background: var(--refund); }
.key.chargeback::before { background: var(--chargeback); }
figure > svg { display: block; width: 100%; height: auto; }
.chart { min-width: 36rem; }
svg text { fill: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; }
svg .account { fill: var(--ink); }
.value { text-anchor: end; }
.unit { text-anchor: middle; }
.grid { stroke: var(--rule); }
.zero { stroke: var(--faint); }
rect.sale { fill: var(--sale); }
rect.refund { fill: var(--refund); }
rect.chargeback { fill: var(--chargeback); }
.courses { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 1.5rem; }
.course figcaption { font-weight: 400; }
.area { fill: var(--sale); opacity: 0.2; }
.line { fill: none; stroke: var(--sale); stroke-width: 1.5; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
caption { text-align: left; color: var(--faint); padding: 0.5rem 0; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child { text-align: left; font-weight: 400; white-space: nowrap; }
thead th, thead th:first-child, tfoot th:first-child { font-weight: 600; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; border-top: 2px solid var(--ink); }
@page { margin: 15mm; }
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { break-after: avoid; }
  figure, tr, .totals { break-inside: avoid; }
  .chart { min-width: 0; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
}
`;
