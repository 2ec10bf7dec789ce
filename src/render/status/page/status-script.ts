import { anyMoment } from '../../text/ages.ts';

/*
 * Plain JavaScript for a browser, kept as text: it is sent with the page and nothing else may run there. It asks for
 * the page again, and changes only what differs, so that scroll positions, opened details and the focus stay.
 */

/** The one script of the status page. */
export const statusScript = `'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const lost = byId('lost');
  const units = [['d', 86400], ['h', 3600], ['min', 60]];
  let tag = null;
  let skew = skewOf(document);

  function skewOf(from) {
    const there = Date.parse(from.getElementById('now').dateTime);
    return Number.isNaN(there) ? 0 : there - Date.now();
  }
  function span(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    const unit = units.find(([, each], at) => seconds >= each - (units[at + 1]?.[1] ?? 0) / 2);
    return unit ? Math.round(seconds / unit[1]) + ' ' + unit[0] : seconds + ' s';
  }
  function showAges() {
    const now = Date.now() + skew;
    for (const time of document.querySelectorAll('time[data-age]')) {
      const moment = Date.parse(time.dateTime);
      if (Number.isNaN(moment)) continue;
      const away = span(Math.abs(now - moment));
      const past = time.dataset.age === 'due' ? '${anyMoment}' : away + ' ago';
      const text = time.dataset.age === 'for' ? away : moment > now ? 'in ' + away : past;
      if (time.textContent !== text) time.textContent = text;
    }
  }

  // Turns the element that is there into the one that should be.
  function become(old, wanted) {
    // The answer to an approval stays.
    if (old.className === 'answer') return;
    // What was loaded into a fold stays, unless it is another version.
    if (old.dataset?.loaded && old.dataset.loaded === wanted.dataset?.part)
      return become(old.firstElementChild, wanted.firstElementChild);
    if (old.nodeType !== wanted.nodeType || old.nodeName !== wanted.nodeName) return old.replaceWith(wanted);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== wanted.data) old.data = wanted.data;
      return;
    }
    const theirs = (name) => old.nodeName === 'DETAILS' && name === 'open';
    for (const { name } of [...old.attributes])
      if (!wanted.hasAttribute(name) && !theirs(name)) old.removeAttribute(name);
    for (const { name, value } of wanted.attributes)
      if (old.getAttribute(name) !== value && !theirs(name)) old.setAttribute(name, value);
    const kept = new Set([...wanted.children].map(({ id }) => id));
    for (const child of [...old.children]) if (child.id && !kept.has(child.id)) child.remove();
    const named = new Map([...old.children].filter(({ id }) => id).map((child) => [child.id, child]));
    let at = old.firstChild;
    const passed = () => {
      const here = at;
      at = at.nextSibling;
      return here;
    };
    for (const child of [...wanted.childNodes]) {
      const same = child.id ? named.get(child.id) : undefined;
      if (same) {
        // To move an element would take the focus and scroll position from it: what has no name makes way.
        while (at && at !== same && !at.id) passed().remove();
        if (same === at) passed();
        else old.insertBefore(same, at);
        become(same, child);
      } else if (at && !at.id && !child.id && at.nodeName === child.nodeName) become(passed(), child);
      else old.insertBefore(child, at);
    }
    while (at) passed().remove();
  }

  async function pageAt(url, headers) {
    const answer = await fetch(url, { headers, cache: 'no-store', signal: AbortSignal.timeout(10000) });
    if (answer.status === 304) return {};
    if (answer.status !== 200) throw new Error('status ' + answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!fresh.getElementById('page')) throw new Error('not this page');
    return { fresh, etag: answer.headers.get('etag') };
  }

  // Of two answers, the one asked for last counts.
  let asked = 0;
  async function refresh() {
    const mine = ++asked;
    try {
      const { fresh, etag } = await pageAt(location.pathname + location.search, tag ? { 'if-none-match': tag } : {});
      if (mine !== asked) return;
      if (fresh) {
        // Another version of sluice has another style and script.
        const ours = (from) => from.querySelector('style').textContent + from.querySelector('body > script').textContent;
        if (ours(fresh) !== ours(document)) return location.reload();
        tag = etag;
        skew = skewOf(fresh);
        document.body.dataset.poll = fresh.body.dataset.poll;
        if (document.title !== fresh.title) document.title = fresh.title;
        become(document.querySelector('link[rel=icon]'), fresh.querySelector('link[rel=icon]'));
        become(byId('page'), fresh.getElementById('page'));
        document.querySelectorAll('details[data-part][open]').forEach(load);
      }
      if (!lost.hidden) lost.hidden = true;
    } catch {
      if (mine === asked && lost.hidden) {
        lost.querySelector('time').dateTime = byId('now').dateTime;
        lost.hidden = false;
      }
    }
    showAges();
  }

  let turn;
  async function next() {
    clearTimeout(turn);
    if (document.hidden) return;
    await refresh();
    clearTimeout(turn);
    turn = setTimeout(next, Number(document.body.dataset.poll) || 3000);
  }
  document.addEventListener('visibilitychange', next);

  // Long texts are loaded when they are unfolded.
  async function load(fold) {
    const { part, loaded } = fold.dataset;
    if (!part || loaded === part) return;
    try {
      const { fresh } = await pageAt(part, {});
      const content = fresh.getElementById('part');
      if (fold.dataset.part !== part || !content) return;
      // The summary stays where it is, with the focus.
      const summary = fold.firstElementChild;
      while (summary.nextSibling) summary.nextSibling.remove();
      summary.after(...content.childNodes);
      fold.dataset.loaded = part;
      showAges();
    } catch {
      // The link in it remains.
    }
  }
  document.addEventListener('toggle', ({ target }) => target.open && load(target), true);

  // The filter takes effect as one types; the address of the page has it, and so has the button to go back.
  function filter() {
    const filled = [...new FormData(byId('filter'))].filter(([, value]) => value);
    const query = new URLSearchParams(filled).toString();
    history.replaceState(null, '', query ? '?' + query : location.pathname);
    tag = null;
    next();
  }
  let typed;
  document.addEventListener('input', ({ target }) => {
    if (!target.closest('#filter')) return;
    clearTimeout(typed);
    typed = setTimeout(filter, target.type === 'search' ? 200 : 0);
  });
  // An approval names the digest of the changes above it. The token is sent in a header, and kept nowhere.
  async function approve(form) {
    const [token, reason] = form.querySelectorAll('input');
    const button = form.querySelector('button');
    const answer = form.querySelector('.answer');
    const said = reason.value.trim();
    button.disabled = true;
    answer.textContent = 'Sending …';
    try {
      const reply = await fetch('approve', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + token.value.trim(), 'content-type': 'application/json' },
        body: JSON.stringify({ digest: form.dataset.approves, ...(said ? { reason: said } : {}) }),
        cache: 'no-store',
        signal: AbortSignal.timeout(10000),
      });
      const text = (await reply.text()).trim();
      if (reply.ok) token.value = '';
      answer.textContent = reply.ok
        ? 'Approved. The watch applies these changes if they are still the same.'
        : 'Not approved: ' + text.slice(0, 200) + '.';
    } catch {
      answer.textContent = 'Not approved: sluice does not respond, or the token has characters that cannot be sent.';
    }
    button.disabled = false;
    next();
  }
  document.addEventListener('submit', (event) => {
    if (event.target.dataset.approves) {
      event.preventDefault();
      approve(event.target);
    }
    if (event.target.id !== 'filter') return;
    event.preventDefault();
    clearTimeout(typed);
    filter();
  });

  // What is linked to may be folded away.
  function show() {
    const target = location.hash ? byId(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) if (at.nodeName === 'DETAILS') at.open = true;
    target.scrollIntoView({ block: 'center' });
  }
  addEventListener('hashchange', show);
  document.addEventListener('click', (event) => {
    const node = event.target.closest('[data-r]');
    if (node && node.dataset.r) location.assign(node.dataset.r);
  });

  show();
  showAges();
  setInterval(showAges, 1000);
  turn = setTimeout(next, Number(document.body.dataset.poll) || 3000);
})();
`;
