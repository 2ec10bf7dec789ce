import { describe, expect, test } from 'vitest';
import { runStacks } from '../../../src/cli/commands/all/run-stacks.ts';
import { makeContext, type Context } from '../../../src/cli/context.ts';
import { stackStatus } from '../../../src/render/stacks/stacks-result.ts';

/** A run of `shop`, which depends on `network`, and of `web`; commands of `asking` stacks ask for approval. */
async function run({
  asking = [],
  failing = [],
  answers = [],
}: {
  readonly asking?: readonly string[];
  readonly failing?: readonly string[];
  readonly answers?: readonly string[];
}): Promise<readonly string[]> {
  const events: string[] = [];
  let questions = 0;
  const context = makeContext(
    {
      cwd: '/',
      env: {},
      out: () => undefined,
      err: () => undefined,
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { in: true, out: true, err: true },
      ask: () => {
        events.push('question');
        return Promise.resolve(answers[questions++] ?? 'yes');
      },
      signal: new AbortController().signal,
    },
    '0.0.0-test',
    { color: false },
  );
  const command = async ({ dir = '', io }: Context): Promise<number> => {
    events.push(`plan ${dir}`);
    if (failing.includes(dir)) return 1;
    if (!asking.includes(dir)) return 0;
    if ((await io.ask('')) !== 'yes') return 1;
    events.push(`apply ${dir}`);
    return 0;
  };
  const results = await runStacks(context, {
    stacks: ['network', 'shop', 'web'],
    dependsOn: (stack) => (stack === 'shop' ? ['network', 'elsewhere'] : []),
    command,
    verb: 'Applying',
  });
  return [...events, ...results.map((result) => `${result.stack} ${stackStatus(result)}`)];
}

describe('a run of stacks that depend on each other', () => {
  test('asks once for all plans where nothing is to be applied that another stack depends on', async () => {
    const asking = ['shop', 'web'];
    expect((await run({ asking })).slice(0, 6)).toEqual([
      'plan network',
      'plan shop',
      'plan web',
      'question',
      'apply shop',
      'apply web',
    ]);
  });

  test('plans a stack after the one that it depends on was applied', async () => {
    const asking = ['network', 'shop', 'web'];
    expect((await run({ asking })).slice(0, 8)).toEqual([
      'plan network',
      'plan web',
      'question',
      'apply network',
      'apply web',
      'plan shop',
      'question',
      'apply shop',
    ]);
  });

  test('skips a stack if one that it depends on failed, and runs the others', async () => {
    expect(await run({ failing: ['network'] })).toEqual([
      'plan network',
      'plan web',
      'network failed',
      'shop skipped',
      'web valid',
    ]);
  });

  test('skips a stack if one that it depends on was not approved', async () => {
    expect(await run({ asking: ['network'], answers: ['no'] })).toEqual([
      'plan network',
      'plan web',
      'question',
      'network not-started',
      'shop skipped',
      'web valid',
    ]);
  });
});
