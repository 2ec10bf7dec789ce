import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { stacksSince } from './stacks-since.ts';

/** Lists the stacks whose plan inputs differ between HEAD and the commit that it has in common with a ref. */
export async function changed(context: Context, { since }: { readonly since: string }): Promise<number> {
  const { from, to, stacks } = await stacksSince(context, context.dir ?? '.', since);
  return context.done(
    stacks
      .map(({ stack, change, upstream = [] }) => `${change.padEnd(7)}  ${safeText(stack)}${takes(upstream)}\n`)
      .join(''),
    {
      since: { ref: since, commit: from },
      head: to,
      stacks,
      matrix: {
        include: stacks.filter(({ change }) => change !== 'deleted').map(({ stack, change }) => ({ stack, change })),
      },
    },
  );
}

function takes(upstream: readonly string[]): string {
  return upstream.length === 0 ? '' : `  (uses outputs of ${upstream.map((one) => safeText(one)).join(', ')})`;
}
