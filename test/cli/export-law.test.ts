/*
 * What is exported is the account: its manifests are valid, a plan of them is nothing but adoptions, and after the apply
 * of that a second plan is empty. A share of the resources is of the stack that exports, the rest is nobody's.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { anyForeignStack, forgetMarkers } from '../generators/actor.ts';
import { asScenario, edited, files, inProfile, profiles } from '../laws/cases.ts';
import { harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { isAdoption, oneSecret, onlySecret, plannedChanges, stackFile } from './exported.ts';
import { directory, sluice } from './terminal.ts';

test.each(profiles)(
  'under %s: an account that is exported is adopted as it is, and then there is nothing left to do',
  async (profile) => {
    await mustHold({
      on: fc.record({
        stacks: edited(profile),
        foreign: anyForeignStack(kinds).map((items) => inProfile(profile, items)),
        secrets: fc.constantFrom('clear' as const, 'empty' as const, 'masked' as const),
        cookiePrefix: fc.constantFrom('svc.' as const, 'empty' as const),
        ours: fc.boolean(),
      }),
      runs: sampleSize(5, 12),
      scenario: ({ stacks }) => asScenario(profile, stacks.before),
      holds: async ({ stacks, foreign, secrets, cookiePrefix, ours }) => {
        const emulator = createEmulator({ seed: 1, profile, secrets, cookiePrefix });
        const others = harness({ profile, emulator, stack: { name: 'others', id: '00000001' } });
        await others.apply((await others.plan(files(oneSecret(foreign)))).plan);
        const own = harness({ profile, emulator, stack: { name: 'company', id: '5c1e7a90' } });
        await own.apply((await own.plan(files(oneSecret(stacks.before)))).plan);
        if (!ours) forgetMarkers(emulator, kinds);
        const all = emulator.snapshot().resources.filter(({ kind }) => kinds.named(kind) !== undefined);

        const { url, close } = await emulator.listen();
        try {
          const dir = await directory({ 'sluice.yaml': stackFile(url, profile), 'manifests/none.yaml': '' });
          const env = { SLUICE_API_KEY: 'any' };
          const edges = all.filter(({ kind }) => kind === 'HTTPSEdge').map(({ id }) => ` https-edge/${id}`);
          const reported = await sluice(dir, `export --all-stacks --all${edges.join('')}`, { env });
          expect(reported).toMatchObject({ code: 0 });
          const variables = Object.fromEntries(
            [...reported.err.matchAll(/^ {2}(\w+)$/gm)].map(([, name = '']) => [name, onlySecret]),
          );
          const withSecrets = { env: { ...env, ...variables } };
          await writeFile(join(dir, 'manifests/none.yaml'), reported.out);

          const changes = await plannedChanges(dir, withSecrets);
          expect(changes.filter(({ change }) => !isAdoption(change))).toEqual([]);
          expect(changes).toHaveLength(all.length);
          const applied = await sluice(dir, 'apply --auto-approve', withSecrets);
          expect(applied).toMatchObject({ code: 0 });
          const again = await sluice(dir, 'plan --detailed-exitcode', withSecrets);
          if (again.code !== 0) throw new Error(`left to do:\n${again.out}\nof:\n${reported.out}`);
        } finally {
          await close();
        }
      },
    });
  },
  120_000,
);
