/** The styles of the inspector page: light and dark, on a phone and on a wide screen. */

export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1a1d21; --faint: #5a626c; --rule: #d9dde2; --card: #f4f6f8; --chosen: #e3eefa;
  --link: #1a5c9c; --good: #14692c; --bad: #b3261e; --open: #8a5200;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e8eaed; --faint: #a0a8b2; --rule: #363c43; --card: #1e2227; --chosen: #1d3247;
    --link: #7dbcf5; --good: #5fc981; --bad: #ff8f86; --open: #f0b55e;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto; padding: 1rem 1.5rem 2rem; max-width: 100rem;
  background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 0.9375rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; margin-bottom: 0.75rem; }
h1 { margin: 0; font-size: 1.35rem; }
h2 { margin: 0; font-size: 1.15rem; }
h3 { margin: 1.1rem 0 0.35rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; }
#status, #choose, #facts, #limit, #none, #head { color: var(--faint); }
#status.bad { color: var(--bad); font-weight: 600; }
main { display: grid; grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); gap: 1.5rem; align-items: start; }
#tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; margin-bottom: 0.75rem; }
#tools label { display: flex; gap: 0.5rem; align-items: center; color: var(--faint); }
#tools label:first-child { flex: 1 1 16rem; }
input, select, button {
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--faint); border-radius: 0.35rem;
  padding: 0.3rem 0.6rem; min-height: 2.25rem; min-width: 0; max-width: 100%;
}
input { flex: 1; width: 100%; }
input::placeholder { color: var(--faint); opacity: 1; }
button { cursor: pointer; }
button:disabled { color: var(--faint); border-style: dashed; cursor: default; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.2rem 0.9rem; margin: 0.6rem 0 0; }
dt { color: var(--ink); }
dd { margin: 0; }
ol, ul { list-style: none; margin: 0; padding: 0; }
#head, #events button {
  display: grid; gap: 0 0.75rem; align-items: baseline; text-align: left; width: 100%; padding: 0.4rem 0.6rem;
  grid-template-columns: 8.2rem minmax(0, 1.3fr) minmax(0, 1fr) 6.5rem minmax(0, 1.5fr) 5rem;
}
#head { font-size: 0.8125rem; border-bottom: 1px solid var(--faint); }
#events button {
  border: 0; border-bottom: 1px solid var(--rule); border-radius: 0; background: none; font-variant-numeric: tabular-nums;
}
#events button:hover { background: var(--card); }
#events button:focus-visible { outline-offset: -2px; }
#events button[aria-current] { background: var(--chosen); }
#events span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
#head span:nth-child(4), .amount { text-align: right; }
#head span:nth-child(5), .customer { padding-left: 0.6rem; }
.time { color: var(--faint); }
.type { font-weight: 600; }
.delivered { color: var(--good); }
.failed { color: var(--bad); font-weight: 600; }
.waiting, .retrying { color: var(--open); }
.kept { color: var(--faint); }
#more { margin-top: 0.75rem; }
#detail {
  position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; padding: 0.9rem 1.1rem;
  background: var(--card); border-radius: 0.5rem;
}
#back { display: none; }
#deliveries li { padding: 0.3rem 0; border-top: 1px solid var(--rule); }
#deliveries small { display: block; color: var(--faint); }
pre {
  margin: 0; padding: 0.7rem 0.8rem; background: var(--paper); border: 1px solid var(--rule); border-radius: 0.35rem;
  font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
}
#empty { padding: 1.5rem; background: var(--card); border-radius: 0.5rem; }
#empty p { margin-top: 0; }
@media (max-width: 60rem) {
  body { padding: 0.75rem 0.75rem 1.5rem; }
  main { grid-template-columns: minmax(0, 1fr); }
  #head, #choose { display: none; }
  #events button { grid-template-columns: minmax(0, 1fr) auto; gap: 0.1rem 0.75rem; padding: 0.55rem 0.25rem; }
  .type { order: 1; }
  .amount { order: 2; }
  .customer { order: 3; padding: 0; }
  .state { order: 4; text-align: right; }
  .receipt { order: 5; color: var(--faint); }
  .time { order: 6; text-align: right; }
  #detail { display: none; position: static; max-height: none; padding: 0; background: none; }
  #back { display: inline-block; margin-bottom: 0.75rem; }
  .open #list { display: none; }
  .open #detail { display: block; }
}
`;
