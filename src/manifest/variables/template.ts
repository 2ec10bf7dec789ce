import { isWrittenObject, type Written } from '../read/written.ts';

/** A piece of a template: text, or the name of a variable. */
export type TemplatePart = string | { readonly variable: string };

/** The pieces of a template such as `https://${var.host}/`, or what is wrong with it, without its text, which may be a secret. `$${` stands for `${`. */
export function templateParts(
  text: string,
): { readonly parts: readonly TemplatePart[] } | { readonly message: string; readonly hint: string } {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(/\$\$\{|\$\{[^}]*\}?/g)) {
    parts.push(text.slice(at, index));
    at = index + found.length;
    if (found === '$${') {
      parts.push('${');
      continue;
    }
    if (!found.endsWith('}')) return { message: 'the template has `${` without `}`', hint: escaped };
    const [, variable] = /^\$\{\s*var\.([^\s}]*)\s*\}$/.exec(found) ?? [];
    if (variable === undefined || variable === '')
      return { message: 'the template has `${…}` that is not a variable', hint: escaped };
    parts.push({ variable });
  }
  return { parts: [...parts, text.slice(at)].filter((part) => part !== '') };
}

const escaped = 'write `${var.NAME}`, or `$${` for the text `${` itself';

/** The variable that stands in place of a value: `{var: NAME}` and nothing else. */
export function variableIn(written: Written): string | undefined {
  return onlyText(written, 'var');
}

/** The template that stands in place of a text: `{template: TEXT}` and nothing else. */
export function templateIn(written: Written): string | undefined {
  return onlyText(written, 'template');
}

function onlyText(written: Written, key: string): string | undefined {
  if (!isWrittenObject(written) || !Object.hasOwn(written, key)) return undefined;
  const text = written[key];
  return typeof text === 'string' && Object.keys(written).length === 1 ? text : undefined;
}
