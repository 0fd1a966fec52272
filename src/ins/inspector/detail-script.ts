/** The part of the script of the inspector page that shows one event and sends it again. */

export const detailScript = `
function deliveryLine({ to, state, attempts, result, lastAttempt, nextAttempt }) {
  const line = document.createElement('li');
  const count = attempts === 1 ? '1 attempt' : attempts + ' attempts';
  line.append('To the ' + to + ': ', made('span', state, state), ', ' + count + (result ? ', last result: ' + result : ''));
  const times = [lastAttempt && 'Last attempt: ' + wholeTime(lastAttempt), nextAttempt && 'Next attempt: ' + wholeTime(nextAttempt)];
  if (lastAttempt || nextAttempt) line.append(made('small', '', times.filter(Boolean).join('. ')));
  return line;
}

async function showDetail() {
  const id = chosen;
  if (id === undefined) return;
  const event = await ask('/events/' + id);
  if (id !== chosen) return;
  detailed = id;
  say($('title'), event.type + ' ' + event.receipt);
  const copies = event.copies > 1 ? ', received ' + event.copies + ' times' : '';
  const source = event.isReconstructed ? ', reconstructed from an order' : '';
  say($('facts'), 'Event ' + id + ', received ' + wholeTime(event.receivedAt) + copies + source);
  const none = 'Not delivered anywhere.';
  $('deliveries').replaceChildren(...(event.deliveries.length ? event.deliveries.map(deliveryLine) : [none]));
  say($('json'), event.json);
  $('resend').disabled = sending.has(id) || list.destinations.length === 0;
  if (list.destinations.length === 0) say($('sent'), 'To resend events, start cb ins listen with --forward-to.');
}

async function openEvent(id) {
  chosen = id;
  say($('sent'), '');
  show();
  try {
    await showDetail();
  } catch (error) {
    trouble(error);
  }
  if (id !== chosen || id !== detailed) return;
  $('choose').hidden = true;
  $('event').hidden = false;
  document.body.classList.add('open');
  $('title').focus();
}

function closeEvent() {
  const line = lines.get(chosen);
  chosen = undefined;
  $('choose').hidden = false;
  $('event').hidden = true;
  document.body.classList.remove('open');
  show();
  if (line) line.firstChild.focus();
}

/* Always of the event whose details are visible, even if another one is being opened. */
async function resend() {
  const id = detailed;
  sending.add(id);
  $('resend').disabled = true;
  say($('sent'), 'Sending…');
  let text;
  try {
    const { results } = await ask('/events/' + id + '/resend', 'POST');
    text = results.map(({ to, result }) => to + ': ' + result).join(', ');
  } catch (error) {
    text = error.status ? error.message : 'The listener does not answer.';
  }
  sending.delete(id);
  if (id !== chosen) return;
  say($('sent'), text);
  await showDetail().catch(trouble);
}
`;
