import { quoted } from '../../diagnostics/quoted.ts';

/** A piece of a template: text, or the name of a variable. */
export type TemplatePart = string | { readonly variable: string };

/** The pieces of a template such as `https://${var.host}/`, or what is wrong with it. `$${` stands for `${`. */
export function templateParts(
  text: string,
): { readonly parts: readonly TemplatePart[] } | { readonly message: string; readonly hint: string } {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(/\$?\$\{[^}]*\}?/g)) {
    parts.push(text.slice(at, index));
    at = index + found.length;
    if (found.startsWith('$$')) {
      parts.push('${', found.slice(3));
      continue;
    }
    if (!found.endsWith('}')) return { message: 'the template has `${` without `}`', hint: escaped };
    const [, variable] = /^\$\{\s*var\.([^\s}]*)\s*\}$/.exec(found) ?? [];
    if (variable === undefined || variable === '')
      return {
        message: `the template has ${quoted(found, 60)}, which is not a variable`,
        hint: escaped,
      };
    parts.push({ variable });
  }
  return { parts: [...parts, text.slice(at)].filter((part) => part !== '') };
}

const escaped = 'write `${var.NAME}`, or `$${` for the text `${` itself';
