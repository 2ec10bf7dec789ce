import { expect } from 'vitest';
import { rendered } from './rendered-html.ts';

/** The repository that links may lead into. */
export const site = 'https://git.example.com/company/edges/';

// The elements of the templates, with every attribute that they have there.
const own =
  /^(details|summary|code|code class=language-diff|pre|table|thead|tbody|tr|th|td|br|sub|p|h[34]|strong|em|ul|li|a href=https:\/\/git\.example\.com\/company\/edges\/\S*)$/;

// What a platform would make a link or a call of, in text that is not code.
const live =
  /@\w|\w@|#\d|\w\/\w+[#!]\d|[a-z]+:\/\/|www\.|mailto:|xmpp:|:\w+:|\b[0-9a-f]{7,40}\b|\b[A-Z]{2,}-\d|[~%&$]\w|!\d|\$\{\{/i;

const acting = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A comment holds no element, link, mention or image but those of its template, and nothing in it acts. */
export function expectHarmlessMarkdown(markdown: string): void {
  const { elements, prose, isWhole, html } = rendered(markdown);
  expect(elements.filter((element) => !own.test(element))).toEqual([]);
  expect(isWhole, html).toBe(true);
  expect(live.exec(prose)?.[0], prose).toBeUndefined();
  expectHarmlessText(markdown);
  // One cell more, and the row would lose its last one in silence.
  const rows = outsideFences(markdown).filter((line) => line.startsWith('|'));
  const cells = new Set(rows.map((row) => row.split('|').length - 2));
  expect([...cells].filter((count) => count !== 3 && count !== 4)).toEqual([]);
}

/** Nothing in a text acts on a terminal. */
export function expectNothingActs(text: string): void {
  expect(text.split('\n').filter((line) => acting.test(line))).toEqual([]);
}

/** Nothing in a text acts on a terminal, or is an order to a program that reads logs: one of GitHub's runners, or of those alike. */
export function expectHarmlessText(text: string): void {
  expectNothingActs(text);
  const lines = text.split('\n');
  expect(lines.filter((line) => /##\w*\[/.test(line) || /^\s*::[a-z]/i.test(line))).toEqual([]);
}

/** How often each element of a template stands in a comment. */
export function countsOf(markdown: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const element of rendered(markdown).elements) {
    const [name = ''] = element.split(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function outsideFences(markdown: string): readonly string[] {
  let fence: string | undefined;
  return markdown.split('\n').filter((line) => {
    const [run] = /^`{3,}/.exec(line) ?? [];
    if (run !== undefined && (fence === undefined || line === fence)) fence = fence === undefined ? run : undefined;
    return fence === undefined;
  });
}
