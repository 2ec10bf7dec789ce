import type { Explained, FieldFacts } from '../../derive/explain/explain-kind.ts';
import type { Palette } from '../text/palette.ts';
import { wrap } from '../text/wrap.ts';

/** The description of a kind or a field for a person; `title` is what was asked for. */
export function explainText(
  title: string,
  explained: Explained,
  { palette, width = 100 }: { readonly palette: Palette; readonly width?: number },
): string {
  const { doc, field, fields } = explained;
  const own = field === undefined ? '' : ` ${factsText(field)}`;
  const blocks = [
    [wrap(`${palette.strong(title)}${own}`, width, 4), wrap(`  ${doc}`, width, 2)],
    listed('Fields', false),
    listed('Set by the service', true),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

  function listed(head: string, isComputed: boolean): string[] {
    const own = fields.filter(({ computed }) => computed === isComputed);
    const lines = own.flatMap((one) => [
      wrap(`  ${palette.strong(one.name)} ${factsText(one)}`, width, 6),
      wrap(`      ${one.doc}`, width, 6),
    ]);
    return lines.length === 0 ? [] : [`${head}:`, ...lines];
  }
}

/** Everything but the words of the doc, on one line: `text; at most 255 bytes; required`. */
function factsText(field: FieldFacts): string {
  return [
    field.type,
    ...field.limits,
    ...(field.required ? ['required'] : []),
    ...(field.default === undefined ? [] : [`default: ${String(field.default)}`]),
    ...(field.immutable ? ['immutable: changing the field replaces the resource'] : []),
    ...(field.secret ? ['secret'] : []),
    ...(field.ignores === undefined ? [] : [`ignored by sluice: ${field.ignores}`]),
    ...(field.access_control === undefined ? [] : [`access control: ${field.access_control}`]),
    ...(field.filter === undefined ? [] : [`filter: ${field.filter}`]),
    ...(field.since === 'completed'
      ? ['only with api.profile: completed, because the API reference does not describe the field']
      : []),
  ].join('; ');
}
