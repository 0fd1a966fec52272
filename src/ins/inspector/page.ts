/** The inspector page: one HTML document that holds no data. Its script asks for the events. */
import { script } from './script.ts';
import { style } from './style.ts';

export const pageHtml = `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Instant notifications</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Instant notifications</h1>
<p id="status" role="status">Loading…</p>
</header>
<main>
<section id="list" aria-label="Events">
<div id="tools">
<label>Filter <input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="Receipt, customer, amount or state"></label>
<label>Type <select id="type"><option value="">All types</option></select></label>
</div>
<div id="empty" hidden>
<p><strong>No events yet.</strong> Send one from another terminal:</p>
<pre id="hint"></pre>
</div>
<p id="none" hidden>No event matches the filter.</p>
<div id="head" aria-hidden="true"><span>Pacific time</span><span>Type</span><span>Receipt</span><span>Amount</span><span>Customer</span><span>State</span></div>
<ol id="events"></ol>
<button id="more" type="button" hidden>Show more</button>
<p id="limit" hidden></p>
</section>
<section id="detail" aria-label="Event">
<div id="choose">
<p>Choose an event to see its deliveries and its JSON.</p>
<dl><dt>/</dt><dd>Filter</dd><dt>↑ ↓</dt><dd>Go to the next event</dd><dt>Enter</dt><dd>Open the event</dd><dt>Esc</dt><dd>Close the event</dd></dl>
</div>
<div id="event" hidden>
<button id="back" type="button">← All events</button>
<h2 id="title" tabindex="-1"></h2>
<p id="facts"></p>
<p><button id="resend" type="button">Resend</button> <span id="sent" role="status"></span></p>
<h3>Deliveries</h3>
<ul id="deliveries"></ul>
<h3>Decrypted JSON</h3>
<pre id="json" tabindex="0"></pre>
</div>
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
