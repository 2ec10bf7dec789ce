import { yamlText } from '../text/yaml-text.ts';
import type { Format } from './format.ts';

/** The JSON document as YAML. */
export const yamlFormat: Format = { isInteractive: false, result: (_, value) => yamlText(value()) };
