/**
 * The script of the inspector page. Data reaches the page as text only (`textContent`), never as markup. It has no
 * backslashes and no template literals, so that it is here as the browser gets it.
 */
import { detailScript } from './detail-script.ts';

export const script = `
'use strict';
const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get('token');
const step = 100;
let limit = step;
let list = { version: '', events: [], destinations: [], total: 0, mostEvents: step };
let chosen;
let detailed;
const sending = new Set();
const lines = new Map();

async function ask(path, method = 'GET') {
  const response = await fetch(path, { method, cache: 'no-store', headers: { Authorization: 'Bearer ' + token } });
  if (response.status === 204) return undefined;
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  return response.json();
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function made(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/* The day is only shown for other days than today. */
const days = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });

function timeText(time, today) {
  const [day, clock] = [time.slice(0, 10), time.slice(11, 19)];
  return day === today ? clock : day.slice(5) + ' ' + clock;
}

function wholeTime(time) {
  return time.slice(0, 10) + ' ' + time.slice(11, 19) + ' Pacific time';
}

const cells = ['time', 'type', 'receipt', 'amount', 'customer', 'state'];

function lineFor(event, today) {
  let line = lines.get(event.id);
  if (!line) {
    line = document.createElement('li');
    const button = made('button', '', '');
    button.type = 'button';
    for (const name of cells) button.append(made('span', name, ''));
    button.addEventListener('click', () => openEvent(event.id));
    line.append(button);
    lines.set(event.id, line);
  }
  const button = line.firstChild;
  const texts = [timeText(event.receivedAt, today), event.type, event.receipt, event.amount, event.customer, event.state];
  texts.forEach((text, index) => say(button.children[index], text));
  button.children[1].title = event.type;
  button.children[4].title = event.customer;
  button.children[5].className = 'state ' + event.state;
  if (event.id === chosen) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
  return line;
}

function matching() {
  const words = $('filter').value.toLowerCase().split(' ').filter(Boolean);
  const type = $('type').value;
  return list.events.filter((event) => {
    const text = [event.type, event.receipt, event.amount, event.customer, event.state, event.id].join(' ').toLowerCase();
    return (type === '' || event.type === type) && words.every((word) => text.includes(word));
  });
}

/* Elements that stay are not moved, so that the focus stays where it is. */
function place(wanted) {
  const parent = $('events');
  const kept = new Set(wanted);
  for (const old of [...parent.children]) if (!kept.has(old)) old.remove();
  wanted.forEach((line, index) => {
    if (parent.children[index] !== line) parent.insertBefore(line, parent.children[index] || null);
  });
}

function show() {
  const known = new Set(list.events.map(({ id }) => id));
  for (const id of lines.keys()) if (!known.has(id)) lines.delete(id);
  const shown = matching();
  const today = days.format(new Date());
  place(shown.map((event) => lineFor(event, today)));
  const isEmpty = list.events.length === 0;
  $('empty').hidden = !isEmpty;
  $('tools').hidden = isEmpty;
  $('detail').hidden = isEmpty;
  $('head').hidden = shown.length === 0;
  $('none').hidden = isEmpty || shown.length > 0;
  $('more').hidden = list.total <= list.events.length || limit >= list.mostEvents;
  $('limit').hidden = list.total <= list.events.length || limit < list.mostEvents;
  say($('limit'), 'The page shows the newest ' + list.mostEvents + ' events. For older ones, use cb ins list.');
  say($('hint'), 'cb ins trigger SALE --to ' + list.receiver);
  tell(shown.length);
}

function tell(shown) {
  const total = list.total === 1 ? '1 event' : list.total + ' events';
  const to = list.destinations.length === 0 ? 'journaling only' : 'forwarding to ' + list.destinations.join(' and ');
  $('status').className = '';
  say($('status'), (shown === list.total ? total : shown + ' of ' + total) + ', ' + to);
}

function showTypes() {
  const types = [...new Set(list.events.map(({ type }) => type))].sort();
  const select = $('type');
  const had = select.value;
  const all = ['', ...(had === '' || types.includes(had) ? types : [...types, had])];
  if (all.length === select.options.length && all.every((type, index) => select.options[index].value === type)) return;
  select.replaceChildren(...all.map((type) => Object.assign(made('option', '', type || 'All types'), { value: type })));
  select.value = had;
}
${detailScript}
function trouble(error) {
  const stopped = 'The listener has stopped, or was started again. Open the address that it prints.';
  $('status').className = 'bad';
  say($('status'), error.status && error.status !== 403 ? error.message : stopped);
}

async function refresh(isForced) {
  const changed = await ask('/events?limit=' + limit + '&seen=' + (isForced ? '' : list.version));
  if (!changed) {
    if ($('status').className) show();
    return;
  }
  list = changed;
  showTypes();
  show();
  await showDetail();
}

async function watch() {
  if (!document.hidden) await refresh(false).catch(trouble);
  setTimeout(watch, 1000);
}

function move(distance) {
  const buttons = [...document.querySelectorAll('#events button')];
  const at = buttons.indexOf(document.activeElement);
  const next = buttons[Math.min(buttons.length - 1, Math.max(0, at + distance))];
  if (next) next.focus();
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = ['INPUT', 'SELECT'].includes(document.activeElement.tagName);
  const isInDetail = $('detail').contains(document.activeElement);
  const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === '/' && !isTyping) $('filter').focus();
  else if (event.key === 'Escape' && chosen !== undefined) closeEvent();
  else if (distance && !isInDetail && document.activeElement.tagName !== 'SELECT') move(distance);
  else return;
  event.preventDefault();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh(false).catch(trouble);
});
$('filter').addEventListener('input', show);
$('type').addEventListener('change', show);
$('back').addEventListener('click', closeEvent);
$('resend').addEventListener('click', resend);
$('more').addEventListener('click', () => {
  limit += step;
  refresh(true).catch(trouble);
});
watch();
`;
