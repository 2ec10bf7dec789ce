import { inspect } from 'node:util';
import { vi } from 'vitest';
import {
  diagnosticsText,
  kinds,
  openStack,
  outcomeJson,
  outcomeText,
  plain,
  planJson,
  planText,
} from '../../src/index.ts';
import type { Io } from '../../src/cli/io.ts';
import { InvalidInput } from '../../src/diagnostics/errors.ts';
import * as contexts from '../../src/stack/library-context.ts';
import type { Ended } from '../cli/terminal.ts';

/** Plans and applies as a program does that embeds sluice and prints every value that it is given. */
export async function embedded(dir: string, isToApply: boolean, io: Partial<Io>): Promise<Ended> {
  const real = contexts.libraryContext;
  const contextOf = vi.spyOn(contexts, 'libraryContext').mockImplementation((options) => {
    const context = real(options);
    return { ...context, io: { ...context.io, ...io } };
  });
  let out = '';
  const print = (value: unknown): void => {
    out += `${typeof value === 'string' ? value : `${inspect(value, { depth: null })}\n${JSON.stringify(value)}`}\n`;
  };
  try {
    const stack = await openStack({
      dir,
      env: io.env ?? {},
      writes: isToApply,
      onLog: (level, text) => {
        print(`${level} ${text}`);
      },
      onDiagnostics: (diagnostics) => {
        print(diagnostics);
        print(diagnosticsText(diagnostics));
      },
    });
    try {
      const plan = await stack.plan({ allow: ['OPENS_ACCESS', 'EXPOSES_PUBLICLY'], resendSecrets: isToApply });
      print(plan);
      print(planText(plan, { kinds, palette: plain, requests: true }));
      print(planJson(plan, { kinds, digest: stack.digest(plan) }));
      if (!isToApply) return { code: 0, out, err: '' };
      const outcome = await stack.apply(plan, print);
      print(outcome);
      print(outcomeJson(outcome, 0));
      print(outcomeText(outcome, plain));
    } finally {
      await stack.close();
    }
    return { code: 0, out, err: '' };
  } catch (error) {
    print(error);
    return { code: error instanceof InvalidInput ? 8 : 1, out, err: '' };
  } finally {
    contextOf.mockRestore();
  }
}
