import { acting } from '../../diagnostics/safe-text.ts';
import type { Written } from '../read/written.ts';

// What those who run pipelines take for an order in a log.
const ordering = /#(?=#?\w*\[)|:(?=:[a-z])/i;

// Words that are text to every reader of YAML, old and new, without quotes.
const plainWord = /^[A-Za-z/][\w./-]*(:\d+)?( [\w./-]+)*$/;
const notText = /^(null|true|false|yes|no|on|off|y|n)$/i;

/** One value as a YAML document: block style, text of several lines as such, everything that would act when looked at escaped. */
export function writtenText(value: Written): string {
  const [first = '', ...rest] = lines(value);
  // Text that is the whole document is indented: at the margin, `---` or `...` would end the document.
  return `${[first, ...(typeof value === 'string' ? rest.map(indented) : rest)].join('\n')}\n`;
}

function lines(value: Written): string[] {
  if (typeof value === 'string') return block(value) ?? [quoted(value)];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value))
    return value.length === 0
      ? ['[]']
      : (value as readonly Written[]).flatMap((item) => {
          const one = Array.isArray(item) ? undefined : onOneLine(item);
          const [first = '', ...rest] = one === undefined ? lines(item) : [one];
          return [`- ${first}`, ...rest.map((line) => indented(line))];
        });
  const entries = Object.entries(value);
  return entries.length === 0 ? ['{}'] : entries.flatMap(([key, item]) => entry(quoted(key), item));
}

function entry(key: string, item: Written): string[] {
  const [first = '', ...rest] = lines(item);
  const isNested = typeof item === 'object' && item !== null && Object.keys(item).length > 0;
  const one = isNested ? onOneLine(item) : undefined;
  if (one !== undefined) return [`${key}: ${one}`];
  if (isNested) return [`${key}:`, indented(first), ...rest.map((line) => indented(line))];
  return [`${key}: ${first}`, ...rest.map((line) => indented(line))];
}

/** What is short enough to be read at once: a few plain words, or a mapping of one to one. */
function onOneLine(item: Written): string | undefined {
  if (typeof item !== 'object' || item === null || Object.keys(item).length === 0) return undefined;
  const parts = Array.isArray(item)
    ? (item as readonly Written[]).map((one) => flowScalar(one))
    : Object.entries(item).map(([key, one]) => {
        const text = flowScalar(one);
        return text === undefined ? undefined : `${quoted(key)}: ${text}`;
      });
  if (parts.some((part) => part === undefined) || (!Array.isArray(item) && parts.length > 1)) return undefined;
  const text = parts.join(', ');
  return text.length > 80 ? undefined : Array.isArray(item) ? `[${text}]` : `{${text}}`;
}

function flowScalar(item: Written): string | undefined {
  if (typeof item === 'string') return item.includes('\n') ? undefined : quoted(item);
  return typeof item === 'object' && item !== null ? undefined : JSON.stringify(item);
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

/** Text of several lines as it is, where every reader takes it for the same and nothing in it acts. */
function block(text: string): string[] | undefined {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const parts = body.split('\n');
  const isPlain = parts.every((line) => !acting.test(line) && !ordering.test(line) && !line.endsWith(' '));
  if (!text.includes('\n') || !isPlain || /^\s|\n$/.test(body) || body === '') return undefined;
  return [text === body ? '|-' : '|', ...parts];
}

/** A scalar on one line: plain where that is safe, else as JSON writes it, which is YAML too. */
function quoted(text: string): string {
  if (plainWord.test(text) && !notText.test(text)) return text;
  return JSON.stringify(text).replace(new RegExp(acting, 'gu'), escaped).replace(new RegExp(ordering, 'gi'), escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
