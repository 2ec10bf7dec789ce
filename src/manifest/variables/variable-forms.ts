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
  if (!isWrittenObject(written) || !Object.hasOwn(written, key)) return undefined;
  const text = written[key];
  return typeof text === 'string' && Object.keys(written).length === 1 ? text : undefined;
}
