import { isWrittenObject, type Written } from '../read/written.ts';

/** The variable that stands in place of a value: `{var: NAME}` and nothing else. */
export function variableIn(written: Written): string | undefined {
  return onlyText(written, 'var');
}

/** The template that stands in place of a text: `{template: TEXT}` and nothing else. */
export function templateIn(written: Written): string | undefined {
  return onlyText(written, 'template');
}

function onlyText(written: Written, key: string): string | undefined {
  if (!isWrittenObject(written) || Object.keys(written).length !== 1) return undefined;
  const text = Object.hasOwn(written, key) ? written[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}
