import { exposureSvg } from '../access/exposure-svg.ts';
import type { Format } from './format.ts';

/** Pictures. */
export const svgFormat = { isInteractive: false, exposure: exposureSvg } satisfies Format;
