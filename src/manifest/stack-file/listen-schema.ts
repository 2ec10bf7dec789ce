import * as z from 'zod';
import { listenAddress, listenPattern } from '../../model/exposure/listen-pattern.ts';

/** An address to serve at. The pattern is in the JSON Schema as well. */
export const listenSchema = z
  .string()
  .regex(listenPattern, 'must be host:port, or false')
  .refine(
    (written) => !listenPattern.test(written) || listenAddress(written) !== undefined,
    'must have a port of at most 65535',
  );
