/** Controls, separators, bidirectional and zero-width marks, tags, surrogates: whatever acts on a terminal or page instead of showing. */
export const acting =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f]/u;
const everyActing = new RegExp(acting, 'gu');

// What those who run pipelines take for an order when they see it in a log: `##[add-mask]x` or `##vso[task.x]y` anywhere,
// also where a text is put together of two, and `::warning::x` where a line begins.
const ordering = /#(?=#\w*(?:\[|$))|^#(?=\w*\[)|(?<=^\s*):(?=:[a-z])/gi;

/** Text from outside on its way to a person: everything that would act on a terminal, a page or a log shown as `\u{...}`, cut after `max` characters. */
export function safeText(text: string, max = 500): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text;
  return cut.replace(everyActing, escaped).replace(ordering, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
