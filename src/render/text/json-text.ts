// What JSON allows in a string and a terminal or page would act on; or those who run pipelines, who look for `##[order]` in logs.
const acting = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|#(?=#\w*\[)/gu;

/** One JSON document, indented and safe to display: control characters are escaped. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(acting, escaped)}\n`;
}

/** One JSON document on one line, for streams of them; as safe to display. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(acting, escaped)}\n`;
}

function escaped(character: string): string {
  const units = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return units.join('');
}
