/*
 * A configuration of Terraform that is converted is the account: a plan of its manifests is nothing but adoptions, after
 * that a second plan is empty, and no value that Terraform calls sensitive is written.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { forgetMarkers } from '../generators/actor.ts';
import { asScenario, edited, files } from '../laws/cases.ts';
import { harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { terraformJson, type TerraformShape } from '../support/terraform-json.ts';
import { sampleSize } from '../support/samples.ts';
import { directory, sluice } from './terminal.ts';
import { isAdoption, oneSecret, onlySecret, plannedChanges, stackFile } from './exported.ts';

const shapes: fc.Arbitrary<TerraformShape> = fc.record({
  blocks: fc.constantFrom('lists', 'objects'),
  routes: fc.constantFrom('blocks', 'resources'),
  modules: fc.constantFrom('blocks', 'resources'),
  index: fc.constantFrom('none', 'count', 'for_each'),
  depth: fc.constantFrom(0, 1, 3),
  order: fc.constantFrom('edge_https', 'https_edge'),
});

test('what Terraform knows of an account is converted, adopted as it is, and then there is nothing left to do', async () => {
  await mustHold({
    on: fc.record({ stacks: edited('completed'), shape: shapes }),
    runs: sampleSize(4, 8),
    scenario: ({ stacks }) => asScenario('completed', stacks.before),
    holds: async ({ stacks, shape }) => {
      const emulator = createEmulator({ seed: 1 });
      const made = harness({ emulator, stack: { name: 'others', id: '00000001' } });
      await made.apply((await made.plan(files(oneSecret(stacks.before)))).plan);
      forgetMarkers(emulator, kinds);
      const all = emulator.snapshot().resources.filter(({ kind }) => kinds.named(kind) !== undefined);

      const { url, close } = await emulator.listen();
      try {
        const dir = await directory({
          'sluice.yaml': stackFile(url, 'completed'),
          'manifests/none.yaml': '',
          'show.json': terraformJson(all, shape),
        });
        const reported = await sluice(dir, 'convert terraform show.json --out manifests');
        expect(reported).toMatchObject({ code: 0 });
        expect(reported.err).not.toContain('Not converted');
        await rm(join(dir, 'show.json'));
        const variables = Object.fromEntries(
          [...reported.err.matchAll(/^ {2}(\w+)$/gm)].map(([, name = '']) => [name, onlySecret]),
        );
        const io = { env: { SLUICE_API_KEY: 'any', ...variables } };

        const changes = await plannedChanges(dir, io);
        expect(changes.filter(({ change }) => !isAdoption(change))).toEqual([]);
        expect(changes).toHaveLength(all.length);
        expect(await sluice(dir, 'apply --auto-approve', io)).toMatchObject({ code: 0 });
        const again = await sluice(dir, 'plan --detailed-exitcode', io);
        if (again.code !== 0) throw new Error(`left to do:\n${again.out}`);
      } finally {
        await close();
      }
    },
  });
});
