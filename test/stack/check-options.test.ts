import { expect, onTestFinished, test } from 'vitest';
import { openStack, UsageError, watchStack, type OpenedStack } from '../../src/index.ts';
import { company, directory, stackFile } from '../cli/terminal.ts';

// As a program in JavaScript calls it.
const open = openStack as (options?: unknown) => Promise<OpenedStack>;
const watch = watchStack as (options?: unknown) => Promise<void>;

type Loose = Record<'plan' | 'apply' | 'digest', (...given: unknown[]) => unknown>;

async function opened(): Promise<Loose> {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company });
  const stack = await open({ dir, env: {}, writes: true });
  onTestFinished(stack.close);
  return stack as unknown as Loose;
}

const dir = '.';
const env = {};

test.each<[string, () => Promise<unknown>, string, string]>([
  [
    'nothing',
    () => open(),
    'openStack: the options must be an object, not undefined',
    'pass an object such as {dir, env}',
  ],
  [
    'a path',
    () => open('/srv'),
    'openStack: the options must be an object, not a string',
    'pass an object such as {dir, env}',
  ],
  [
    'nothing',
    () => open(null),
    'openStack: the options must be an object, not null',
    'pass an object such as {dir, env}',
  ],
  [
    'a list',
    () => open([dir]),
    'openStack: the options must be an object, not an array',
    'pass an object such as {dir, env}',
  ],
  [
    'no directory',
    () => open({ env }),
    'openStack: the option `dir` is missing',
    'set `dir` to a string that is not empty',
  ],
  [
    'a directory that is no string',
    () => open({ dir: 7, env }),
    'openStack: the option `dir` must be a string that is not empty, not a number',
    'set `dir` to a string that is not empty',
  ],
  [
    'an empty directory',
    () => open({ dir: '', env }),
    'openStack: the option `dir` must be a string that is not empty, not an empty string',
    'set `dir` to a string that is not empty',
  ],
  [
    'an environment that is none',
    () => open({ dir, env: 'production' }),
    'openStack: the option `env` must be an object with strings, such as process.env, not a string',
    'set `env` to an object with strings, such as process.env',
  ],
  [
    'a value of the environment that is no string',
    () => open({ dir, env: { HOME: '/', SLUICE_API_KEY: 5 } }),
    'openStack: the option `env` must be an object with strings, such as process.env, not an object in which "SLUICE_API_KEY" is a number',
    'set `env` to an object with strings, such as process.env',
  ],
  [
    'an option that does not exist',
    () => open({ dir, env, write: true }),
    'openStack: unknown option "write"',
    'did you mean `writes`?',
  ],
  ...([0, 257, 1.5, NaN, '4', null] as const).map((parallelism): [string, () => Promise<unknown>, string, string] => [
    `a parallelism of ${JSON.stringify(parallelism)}`,
    () => open({ dir, env, parallelism }),
    `openStack: the option \`parallelism\` must be an integer from 1 to 256, not ${typeof parallelism === 'string' ? 'a string' : String(parallelism)}`,
    'set `parallelism` to an integer from 1 to 256',
  ]),
  ...[-1, 3_153_600_001, Infinity].map((lockTimeout): [string, () => Promise<unknown>, string, string] => [
    `a lock timeout of ${lockTimeout}`,
    () => open({ dir, env, lockTimeout }),
    `openStack: the option \`lockTimeout\` must be a number of seconds from 0 to 3153600000, not ${lockTimeout}`,
    'set `lockTimeout` to a number of seconds from 0 to 3153600000',
  ]),
  ...(
    [
      ['', 'an empty string'],
      ['localhost', '"localhost"'],
      ['::1', '"::1"'],
      ['127.0.0.1:65536', '"127.0.0.1:65536"'],
      [9470, '9470'],
      [true, 'true'],
      [{}, 'an object'],
    ] as const
  ).flatMap(([address, shown]) =>
    ['listen', 'listenProbes'].map((option): [string, () => Promise<unknown>, string, string] => [
      `${JSON.stringify(address)} as ${option}`,
      () => watch({ dir, env, signal: AbortSignal.abort(), [option]: address }),
      `watchStack: the option \`${option}\` must be host:port, such as 127.0.0.1:9470, or false, not ${shown}`,
      `set \`${option}\` to host:port, such as 127.0.0.1:9470, or false`,
    ]),
  ),
  [
    'no signal for a watch',
    () => watch({ dir, env }),
    'watchStack: the option `signal` is missing',
    'set `signal` to an AbortSignal, such as controller.signal',
  ],
  [
    'the controller in place of its signal',
    () => watch({ dir, env, signal: new AbortController() }),
    'watchStack: the option `signal` must be an AbortSignal, such as controller.signal, not an object',
    'set `signal` to an AbortSignal, such as controller.signal',
  ],
])('a call of the library with %s reports what is wrong', async (_what, call, message, hint) => {
  await expect(call()).rejects.toMatchObject({ name: 'UsageError', code: 'USAGE', message, hint });
});

test.each<[unknown, string]>([
  ['shop', 'plan: the options must be an object, not a string'],
  [
    { target: ['HTTPSEdge/shop', 7] },
    'plan: the option `target` must be an array of strings, not an array that contains a number',
  ],
  [{ target: 'HTTPSEdge/shop' }, 'plan: the option `target` must be an array of strings, not a string'],
  [{ allowEmpty: 'yes' }, 'plan: the option `allowEmpty` must be true or false, not a string'],
  [{ destroying: true }, 'plan: unknown option "destroying"'],
  [
    { allow: ['LOSES_ADDRESS', 'OPENS'] },
    expect.stringMatching(
      /^plan: the option `allow` must be an array of OPENS_ACCESS, .* or rule:NAME, not an array that contains "OPENS"$/,
    ) as string,
  ],
  [
    { allow: 'OPENS_ACCESS' },
    expect.stringMatching(/^plan: the option `allow` must be an array of .*, not a string$/) as string,
  ],
])('plan(%j) reports what is wrong', async (options, message) => {
  const stack = await opened();
  await expect(stack.plan(options)).rejects.toMatchObject({ name: 'UsageError', message });
  await expect(stack.plan()).resolves.toMatchObject({ complete: true });
});

test('apply and digest take a plan, and report that where they get a promise of one', async () => {
  const stack = await opened();
  const plan = stack.plan();
  await expect(stack.apply(plan)).rejects.toMatchObject({
    code: 'USAGE',
    message: 'apply: the first argument must be a plan of this stack, not a promise',
    hint: 'pass what `await stack.plan()` returns',
  });
  expect(() => stack.digest(undefined)).toThrow(UsageError);
  await expect(stack.apply(await plan, 'log')).rejects.toMatchObject({
    message: 'apply: the option `onEvent` must be a function, not a string',
  });
});
