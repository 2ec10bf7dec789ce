import { jsonText } from './json-text.ts';

// Words that are text to every reader of YAML, old and new, without quotes. Old readers take E5 for a number.
const plainWord = /^[A-Za-z][\w./-]*( [\w./-]+)*$/;
const notText = /^(null|true|false|yes|no|on|off|y|n|e-?\d+)$/i;

/** One YAML document that every parser reads as the same value as its JSON, and that is safe to display. */
export function yamlText(value: unknown): string {
  return `${lines(JSON.parse(JSON.stringify(value)) as unknown).join('\n')}\n`;
}

function lines(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = lines(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  if (isBlock(value))
    return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
      const inner = lines(item);
      const [first = ''] = inner;
      return isBlock(item) ? [`${scalar(key)}:`, ...inner.map((line) => `  ${line}`)] : [`${scalar(key)}: ${first}`];
    });
  return [scalar(value)];
}

function isBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** What JSON writes is YAML too: quoted text with everything that acts escaped, numbers, and empty brackets. */
function scalar(value: unknown): string {
  if (typeof value === 'string' && plainWord.test(value) && !notText.test(value)) return value;
  return jsonText(value).trimEnd();
}
