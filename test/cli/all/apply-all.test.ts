/* `sluice apply --all`: every stack below a directory is applied as it is alone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { Io } from '../../../src/cli/io.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { accountForm } from '../../support/account-form.ts';
import { mustHold } from '../../support/law.ts';
import { sampleSize } from '../../support/samples.ts';
import type { StacksJson } from '../../../src/render/stacks/stacks-json-schema.ts';
import { directory, sluice, type Ended } from '../terminal.ts';
import { address, stackAt } from './several-stacks.ts';

const two = { ...stackAt('network'), ...stackAt('shop') };
const broken = address('web').replace('region', 'regoin');

/** A person at a terminal with an answer for each question, which are kept with what was printed before. */
function person(...answers: readonly string[]): { readonly io: Partial<Io>; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    io: {
      terminal: { in: true, out: false, err: true },
      ask: (question) => Promise.resolve(answers[asked.push(question) - 1] ?? 'no'),
    },
  };
}

/** What becomes of each stack, as a second plan finds it. */
async function statuses(dir: string): Promise<Readonly<Record<string, string>>> {
  const { stacks } = JSON.parse((await sluice(dir, 'plan --all --format json')).out) as StacksJson;
  return Object.fromEntries(stacks.map(({ stack, status }) => [stack, status]));
}

describe('apply --all', () => {
  test('applies every stack with --auto-approve, and prints the outcome of each below its plan', async () => {
    const dir = await directory(two);
    const { code, out } = await sluice(dir, 'apply --all --auto-approve');
    expect(code).toBe(0);
    expect(out.replaceAll(/.*(?:description|region).*\n/g, '')).toBe(`
== network ==

1 to create; 1 API request.

Applied: 1 created; 1 API request.

== shop ==

1 to create; 1 API request.

Applied: 1 created; 1 API request.

network  Applied: 1 created; 1 API request.
shop     Applied: 1 created; 1 API request.

2 stacks: 2 applied.
`);
    expect(await statuses(dir)).toEqual({ network: 'unchanged', shop: 'unchanged' });
  });

  test('applies the others if a stack is broken or refused, and ends with 6 since something was written', async () => {
    const dir = await directory({ ...two, ...stackAt('web', broken) });
    await sluice(dir, '-C network apply --auto-approve');
    await writeFile(join(dir, 'network/manifests/mqtt.yaml'), '');
    const { code, out } = await sluice(dir, 'apply --all --auto-approve --format json');
    const { exit_code, stacks } = JSON.parse(out) as StacksJson;
    expect([code, exit_code]).toEqual([6, 6]);
    expect(stacks.map(({ stack, status, exit_code: own }) => [stack, status, own])).toEqual([
      ['network', 'failed', 3],
      ['shop', 'applied', 0],
      ['web', 'failed', 8],
    ]);
  });

  test('ends with the first code of those that failed where nothing was written', async () => {
    const dir = await directory({ ...stackAt('network'), ...stackAt('web', broken) });
    await sluice(dir, '-C network apply --auto-approve');
    await writeFile(join(dir, 'network/manifests/mqtt.yaml'), '');
    expect((await sluice(dir, 'apply --all --auto-approve')).code).toBe(8);
  });

  test('asks once on a terminal, after all plans were shown', async () => {
    const dir = await directory({ ...two, ...stackAt('web', broken) });
    const { io, asked } = person('yes');
    let out = '';
    let shown = '';
    const { code } = await sluice(dir, 'apply --all', {
      ...io,
      out: (text) => (out += text),
      ask: (question) => {
        shown = out;
        return io.ask?.(question) ?? Promise.reject(new Error('nobody is asked'));
      },
    });
    expect(shown).toMatch(/== network ==[^=]*1 to create[^=]*== shop ==[^=]*1 to create[^=]*== web ==/);
    expect(asked).toEqual(['\nApply the changes of all these stacks? Only "yes" will be accepted: ']);
    expect(code).toBe(6);
    expect(out).toContain('3 stacks: 1 failed, 2 applied.');
    expect(await statuses(dir)).toEqual({ network: 'unchanged', shop: 'unchanged', web: 'failed' });
  });

  test('writes nothing if that is not approved, and gives back the locks', async () => {
    const dir = await directory(two);
    const { io } = person('no');
    const { code, out, err } = await sluice(dir, 'apply --all', io);
    expect(code).toBe(1);
    expect(out).toContain('network  not approved\nshop     not approved\n\n2 stacks: 2 not started.');
    expect(err.match(/Not approved/g)).toHaveLength(1);
    expect(await statuses(dir)).toEqual({ network: 'pending', shop: 'pending' });
    expect((await sluice(dir, 'apply --all --auto-approve')).code).toBe(0);
  });

  test('asks nothing where nothing changes', async () => {
    const dir = await directory(two);
    await sluice(dir, 'apply --all --auto-approve');
    const { io, asked } = person();
    expect(await sluice(dir, 'apply --all', io)).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
  });

  test('requires --auto-approve without a terminal', async () => {
    const dir = await directory(two);
    const { code, err } = await sluice(dir, 'apply --all');
    expect(code).toBe(8);
    expect(err).toContain('approval is required, but there is no terminal to ask for it');
    expect(await statuses(dir)).toEqual({ network: 'pending', shop: 'pending' });
  });

  test('starts no further stack once it is interrupted, and ends with 130', async () => {
    const dir = await directory(two);
    const stop = new AbortController();
    const { io } = person();
    const ask = (): Promise<string> => {
      stop.abort();
      return Promise.resolve('yes');
    };
    const { code, out } = await sluice(dir, 'apply --all', { ...io, ask, signal: stop.signal });
    expect(code).toBe(130);
    expect(out).toContain('2 stacks: 2 not started.');
    expect(await statuses(dir)).toEqual({ network: 'pending', shop: 'pending' });
  });

  test.each(['plan.bin --all', '--all --reviewed', '--all --events events.jsonl', '--all --digest sha256:1'])(
    'does not take %s, which is for one stack',
    async (args) => {
      const dir = await directory(two);
      const { code, err } = await sluice(dir, `apply --auto-approve ${args}`);
      expect(code).toBe(8);
      expect(err).toContain('is for one stack and cannot be combined with --all');
    },
  );
});

/** Stacks in a directory of their own, and an account that they share. */
async function account(files: Readonly<Record<string, string>>): Promise<{
  readonly emulator: Emulator;
  readonly dir: string;
  readonly run: (args: string) => Promise<Ended>;
}> {
  const emulator = createEmulator({ seed: 1 });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await directory(files);
  const env = { SLUICE_API_KEY: 'any', SLUICE_BASE_URL: url };
  return { emulator, dir, run: (args) => sluice(dir, args, { env }) };
}

/** The requests of an account without the ids in them. */
function requests({ log }: Emulator): readonly string[] {
  return log.map(
    ({ method, path, status }) => `${method} ${path.replaceAll(/\/[a-z]+_\w+/g, '/ID')} ${String(status)}`,
  );
}

describe('a run of many stacks', () => {
  test('sends no more requests for 50 stacks than each of them alone', async () => {
    const paths = Array.from({ length: 50 }, (_, index) => `stack-${String(index)}`);
    const files = Object.fromEntries(paths.flatMap((path) => Object.entries(stackAt(path))));
    const { emulator, run } = await account(files);
    await run('-C stack-0 plan');
    const alone = emulator.count();
    expect((await run('plan --all')).code).toBe(0);
    expect(emulator.count() - alone).toBeLessThanOrEqual(50 * alone);
  });

  const contents = fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant('broken' as const) },
  );

  test('does in each stack what a run of that stack alone does', async () => {
    await mustHold({
      on: fc.array(fc.record({ before: contents, after: contents }), { minLength: 2, maxLength: 3 }),
      runs: sampleSize(2, 4),
      scenario: (stacks) => JSON.stringify(stacks),
      holds: async (stacks) => {
        const paths = stacks.map((_, index) => `stack-${String(index)}`);
        const manifest = (index: number, when: 'before' | 'after'): string => {
          const names = stacks[index]?.[when] ?? [];
          if (names === 'broken') return broken;
          return names.map((name) => address(`${when}-${name}-${String(index)}`, name)).join('---\n');
        };
        const files = Object.fromEntries(
          paths.flatMap((path, n) => Object.entries(stackAt(path, manifest(n, 'before')))),
        );
        const [together, alone] = [await account(files), await account(files)];
        for (const when of ['before', 'after'] as const) {
          for (const { dir } of [together, alone])
            for (const [n, path] of paths.entries())
              await writeFile(join(dir, path, 'manifests/mqtt.yaml'), manifest(n, when));
          const all = JSON.parse((await together.run('apply --all --auto-approve --format json')).out) as StacksJson;
          const codes: number[] = [];
          for (const path of paths) codes.push((await alone.run(`-C ${path} apply --auto-approve`)).code);
          expect(all.stacks.map(({ exit_code }) => exit_code)).toEqual(codes);
        }
        expect(requests(together.emulator)).toEqual(requests(alone.emulator));
        const form = { kinds, addresses: new Map<string, string>(), markers: true };
        expect(await accountForm(together.emulator, form)).toEqual(await accountForm(alone.emulator, form));
      },
    });
  });
});
