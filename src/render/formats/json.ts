import { jsonText } from '../text/json-text.ts';
import type { Format } from './format.ts';

/** One JSON document. */
export const jsonFormat: Format = { isInteractive: false, result: (_, value) => jsonText(value()) };
