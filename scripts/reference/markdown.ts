/** A table, cells escaped; empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map((cells) => line(cells.map(cell))).join('')}`;
}

/** Text as code. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** A page, from its title and its parts; empty ones are omitted. */
export function page(title: string, ...parts: readonly string[]): string {
  const all = [`# ${title}\n`, generated, ...parts].filter((part) => part !== '');
  return `${all.map((part) => part.trimEnd()).join('\n\n')}\n`;
}

const generated = '<!-- Written by `npm run generate`. -->';

function cell(text: string): string {
  // Code keeps its characters, but for the one that ends a cell.
  const parts = text.replaceAll('\n', ' ').split(/(`[^`]*`)/);
  return parts
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;')))
    .join('')
    .replaceAll('|', '\\|');
}
