import { safeText } from '../../diagnostics/safe-text.ts';
import { agoText, anyMoment, durationShort, momentText } from './ages.ts';

/** Text that is HTML already. Made by `html` alone, so everything else on a page has been escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text, which is escaped, HTML, lists of it, and nothing: undefined or false. */
export type Part = string | number | Html | undefined | false | readonly Part[];

const longest = 4_000;

/** HTML from a template: the one way from values to a page, and so the one place where they are escaped. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(template.reduce((text, piece, index) => `${text}${escaped(parts[index - 1])}${piece}`));
}

/** Several lines of text as they are, each made safe on its own. */
export function lines(text: string): Html {
  return new Html(text.split('\n').map(escaped).join('\n'));
}

/** A sentence in which what stands between backticks is code; a command of sluice is selected as a whole. */
export function prose(text: string): Html {
  const pieces = text.slice(0, longest).split(/`([^`]+)`/);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : code(piece)))}`;
}

function code(text: string): Html {
  return text.startsWith('sluice ') ? html`<code class="command">${text}</code>` : html`<code>${text}</code>`;
}

function escaped(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part !== 'string') return part.map(escaped).join('');
  return safeText(part, longest).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** How long it has been so, on a page; the script keeps the text fresh. */
export function spanElement(since: number, now: number): Html {
  const exact = momentText(since);
  return html`<time datetime="${exact}" title="since ${exact}" data-age="for">${durationShort(now - since)}</time>`;
}

/** A moment on a page at which something is due: once it has come, it may begin at any moment; the script keeps the text fresh. */
export function dueElement(moment: number, now: number): Html {
  const [exact, text] = [momentText(moment), moment > now ? agoText(moment, now) : anyMoment];
  return html`<time datetime="${exact}" title="${exact}" data-age="due">${text}</time>`;
}

/** A moment on a page, written relative to now; the script keeps the text current. */
export function timeElement(moment: number, now: number): Html {
  const exact = momentText(moment);
  return html`<time datetime="${exact}" title="${exact}" data-age="ago">${agoText(moment, now)}</time>`;
}
