import { jsonText } from '../text/json-text.ts';
import type { Format } from './format.ts';

/** Text for people. */
export const textFormat: Format = { isInteractive: true, result: (shown) => shown() };

/** The output formats by name; what a format needs is loaded when it is used. */
export const formats = {
  text: () => Promise.resolve(textFormat),
  json: () => Promise.resolve({ isInteractive: false, result: (_, value) => jsonText(value()) }),
  yaml: async () => {
    const { yamlText } = await import('../text/yaml-text.ts');
    return { isInteractive: false, result: (_, value) => yamlText(value()) };
  },
  markdown: async () => (await import('./markdown.ts')).markdownFormat,
  svg: async () => ({ isInteractive: false, exposure: (await import('../access/exposure-svg.ts')).exposureSvg }),
  sarif: async () => (await import('./sarif.ts')).sarifFormat,
} satisfies Readonly<Record<string, () => Promise<Format>>>;

/** The name of an output format, as `--format` takes it. */
export type FormatName = keyof typeof formats;

/** Whether a text is the name of an output format. */
export function isFormatName(text: string | undefined): text is FormatName {
  return text !== undefined && Object.hasOwn(formats, text);
}
