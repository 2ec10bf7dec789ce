import type { Format } from './format.ts';

/** The output formats by name, each loaded when it is used. A new format is a file and a line here. */
export const formats = {
  text: async () => (await import('./text.ts')).textFormat,
  json: async () => (await import('./json.ts')).jsonFormat,
  yaml: async () => (await import('./yaml.ts')).yamlFormat,
  markdown: async () => (await import('./markdown.ts')).markdownFormat,
  svg: async () => (await import('./svg.ts')).svgFormat,
  sarif: async () => (await import('./sarif.ts')).sarifFormat,
} satisfies Readonly<Record<string, () => Promise<Format>>>;

/** The name of an output format, as `--format` takes it. */
export type FormatName = keyof typeof formats;

/** Whether a text is the name of an output format. */
export function isFormatName(text: string | undefined): text is FormatName {
  return text !== undefined && Object.hasOwn(formats, text);
}
