import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

describe('a stack on the embedded emulator', () => {
  test('is planned, applied, found unchanged, edited, and destroyed', async () => {
    const dir = await stack();
    const planned = await sluice(dir, 'plan --detailed-exitcode');
    expect(planned).toMatchObject({ code: 2, err: '' });
    expect(planned.out).toContain('3 to create; 3 API requests.');

    const applied = await sluice(dir, 'apply --auto-approve');
    expect(applied.code).toBe(0);
    expect(applied.out).toContain('Applied: 3 created; 3 API requests.');
    expect(applied.err).toContain('+ HTTPSEdge/shop created\n');
    expect(await sluice(dir, 'plan --detailed-exitcode')).toEqual({
      code: 0,
      out: 'No changes. 3 resources in sync.\n',
      err: '',
    });

    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('Sensors', 'Sensors in Europe'));
    const edited = await sluice(dir, 'plan --requests');
    expect(edited.code).toBe(0);
    expect(edited.out).toContain('description: Sensors -> "Sensors in Europe"  (manifest changed)');
    expect(edited.out).toMatch(/1\. PATCH \/reserved_addrs\/ra_\w+\n {6}\{"description":"Sensors in Europe"\}/);
    expect((await sluice(dir, 'apply --auto-approve')).code).toBe(0);

    expect((await sluice(dir, 'destroy --auto-approve')).code).toBe(0);
    expect((await sluice(dir, 'get https-edge')).out).toBe('No HTTPSEdge exists.\n');
  });

  test('that is destroyed already has no resources, whatever its manifests have', async () => {
    const dir = await stack();
    const nothingLeft = 'No changes. The stack has no resources.\n';
    expect((await sluice(dir, 'destroy --auto-approve')).out).toContain(nothingLeft);
    expect((await sluice(dir, 'plan --destroy')).out).toBe(nothingLeft);
    expect((await sluice(dir, 'plan --destroy --out destroy.plan')).out).toContain(nothingLeft);
    expect((await sluice(dir, 'apply destroy.plan')).out).toContain(nothingLeft);
  });

  test('whose manifests are empty is told so', async () => {
    const dir = await stack('');
    const { out } = await sluice(dir, 'plan');
    expect(out).toBe('No changes. The manifests are empty, and the stack has no resources.\n');
  });

  test('is destroyed by the next run, where the service said so and did it not', async () => {
    const dir = await stack();
    const account = join(dir, '.sluice/emulator.json');
    await sluice(dir, 'apply --auto-approve');
    const before = await readFile(account);
    expect((await sluice(dir, 'destroy --auto-approve')).code).toBe(0);
    await writeFile(account, before);
    expect((await sluice(dir, 'destroy --auto-approve')).out).toContain('Applied: 3 deleted;');
    expect((await sluice(dir, 'get https-edge')).out).toBe('No HTTPSEdge exists.\n');
  });

  test('keeps state and account to their owner, and plans the same when state is lost', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    for (const file of ['state.json', 'emulator.json'])
      expect((await stat(join(dir, '.sluice', file))).mode & 0o777).toBe(0o600);
    await rm(join(dir, '.sluice/state.json'));
    expect((await sluice(dir, 'plan')).out).toContain('No changes. 3 resources in sync.');
  });

  test('writes nothing when it plans', async () => {
    const dir = await stack();
    await sluice(dir, 'plan');
    await expect(stat(join(dir, '.sluice'))).rejects.toThrow('ENOENT');
  });

  test('leaves the rest of the stack alone in a targeted plan', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace(/^[^]*---\n/, ''));
    const targeted = await sluice(dir, 'plan -l team=web');
    expect(targeted.out).toContain('resources that are not targeted are not deleted');
    expect(targeted.out).not.toContain('ReservedAddr/mqtt');
    expect((await sluice(dir, 'plan --target ReservedAddr/mqtt')).out).toContain('- ReservedAddr/mqtt');
    expect((await sluice(dir, 'plan')).out).toContain('- ReservedAddr/mqtt');
  });

  test('reads manifests from standard input, and does not take them for the whole', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(company.replace(/---[^]*$/, '')));
    const { code, out } = await sluice(dir, 'plan -f -', { stdin });
    expect(code).toBe(0);
    expect(out).toContain('No changes. 1 resource in sync.');
  });
});

describe('protection', () => {
  const restricted = company.replace('lifecycle: {protect: false}\n', '');

  test('refuses a whole destroy, and nothing is written', async () => {
    const dir = await stack(restricted);
    await sluice(dir, 'apply --auto-approve');
    const account = await readFile(join(dir, '.sluice/emulator.json'), 'utf8');
    const refused = await sluice(dir, 'destroy --auto-approve');
    expect(refused.code).toBe(3);
    expect(refused.out).toContain('BLOCKED PROTECTED');
    expect(refused.err).toContain('Nothing was written.');
    expect(await readFile(join(dir, '.sluice/emulator.json'), 'utf8')).toBe(account);
  });

  test('that refuses a destroy reports how to delete everything else, and that does it', async () => {
    const dir = await stack(restricted);
    await sluice(dir, 'apply --auto-approve');
    expect((await sluice(dir, 'destroy --auto-approve')).err).toContain(
      'To delete only the other 2 resources, keep the manifests of ReservedAddr/mqtt, remove all other manifests, and run `sluice apply`.',
    );
    await writeFile(join(dir, 'manifests/company.yaml'), restricted.replace(/---[^]*$/, ''));
    expect((await sluice(dir, 'apply --auto-approve')).out).toContain('Applied: 2 deleted;');
    const refused = await sluice(dir, 'destroy --auto-approve');
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.err).not.toContain('To delete only');
  });

  test('holds from the moment a manifest gives it, also before it was applied', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, 'manifests/company.yaml'), restricted);
    const { code, out } = await sluice(dir, 'destroy --auto-approve');
    expect(code).toBe(3);
    expect(out).toContain(
      'the resource is protected by its manifest; set `lifecycle: {protect: false}` in the manifest',
    );
  });

  test.each([
    [
      'HTTPSEdge/market',
      {
        'metadata: {name: shop, labels: {team: web}}':
          'metadata: {name: market}\nlifecycle: {protect: true, moved_from: HTTPSEdge/shop}',
      },
    ],
    [
      'HTTPSEdgeRoute/market:front',
      {
        'metadata: {name: shop, labels: {team: web}}':
          'metadata: {name: market}\nlifecycle: {moved_from: HTTPSEdge/shop}',
        '{name: front,': '{name: front, lifecycle: {protect: true},',
      },
    ],
    ['HTTPSEdgeRoute/shop:start', { '{name: front,': '{name: start, lifecycle: {protect: true},' }],
  ])('that only the manifest of %s gives holds under the former address', async (address, edits) => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    const edited = Object.entries(edits).reduce((text, [from, into]) => text.replace(from, into), company);
    await writeFile(join(dir, 'manifests/company.yaml'), edited);
    const { code, out } = await sluice(dir, 'destroy --auto-approve');
    expect(code, out).toBe(3);
    expect(out).toContain(`the resource is protected by the manifest of ${address}; set`);
  });

  test('is shown by plan, which is not refused', async () => {
    const dir = await stack(restricted);
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, 'manifests/company.yaml'), restricted.replace(/^[^]*---\n/, ''));
    const planned = await sluice(dir, 'plan');
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).toContain('1 blocked');
    expect((await sluice(dir, 'apply --auto-approve')).code).toBe(3);
  });
});

describe('approval', () => {
  const terminal = { in: true, out: false, err: true };

  test('is asked for on a terminal, and only yes is yes', async () => {
    const dir = await stack();
    for (const answer of ['nope', 'y', 'Y', 'YES', 'yes please', '']) {
      let question = '';
      const ask = (text: string): Promise<string> => {
        question = text;
        return Promise.resolve(answer);
      };
      const refused = await sluice(dir, 'apply', { terminal, ask });
      expect(refused, answer).toMatchObject({ code: 1 });
      expect(refused.err).toContain('Nothing was written.');
      expect(question).toContain('Only "yes" will be accepted');
    }
    expect((await sluice(dir, 'get https-edge')).out).toBe('No HTTPSEdge exists.\n');
    expect((await sluice(dir, 'apply', { terminal, ask: () => Promise.resolve('yes') })).code).toBe(0);
  });

  test.each(['apply', 'destroy'])('of %s has to be given beforehand where nobody can be asked', async (command) => {
    const dir = await stack();
    if (command === 'destroy') await sluice(dir, 'apply --auto-approve');
    const ended = await sluice(dir, command);
    expect(ended).toMatchObject({ code: 8 });
    expect(ended.err).toContain('--auto-approve');
    expect((await sluice(dir, command, { terminal, env: { CI: 'true' } })).code).toBe(8);
  });

  test('that Ctrl-C interrupts ends with 130', async () => {
    const dir = await stack();
    const interrupted = new AbortController();
    const ended = await sluice(dir, 'apply', {
      terminal,
      signal: interrupted.signal,
      ask: () => {
        interrupted.abort();
        return Promise.reject(new Error('aborted'));
      },
    });
    expect(ended.code).toBe(130);
  });
});

describe('a first-time user', () => {
  test('gets the hint to begin with init', async () => {
    const dir = await directory();
    const lost = await sluice(dir, 'plan');
    expect(lost.code).toBe(8);
    expect(lost.err).toContain('`sluice init`');
  });

  test('gets a stack by init, which never overwrites one', async () => {
    const dir = await directory({ 'manifests/company.yaml': company });
    expect((await sluice(dir, 'init --name shop')).code).toBe(0);
    const written = await readFile(join(dir, 'sluice.yaml'), 'utf8');
    expect(written).toMatch(/^stack: \{name: "shop", id: "[0-9a-f]{8}"\}/m);
    expect(await sluice(dir, 'validate')).toMatchObject({ code: 0, out: '3 resources are valid.\n' });

    const again = await sluice(dir, 'init');
    expect(again.code).toBe(8);
    expect(again.err).toContain('already exists and was not changed');
    expect(await readFile(join(dir, 'sluice.yaml'), 'utf8')).toBe(written);
  });

  test('with the file named sluice.yml is told to rename it, and gets no second id by init', async () => {
    const dir = await directory({ 'sluice.yml': 'version: 1\n' });
    for (const command of ['validate', 'plan', 'init'])
      expect(await sluice(dir, command)).toEqual({
        code: 8,
        out: '',
        err: `error: ${dir} has a sluice.yml, but no sluice.yaml\n  rename the file to sluice.yaml\n`,
      });
  });

  test('keeps the directory of state out of git, and what git ignores already', async () => {
    const ignored = async (dir: string): Promise<string> => {
      expect((await sluice(dir, 'init --name shop')).code).toBe(0);
      return readFile(join(dir, '.gitignore'), 'utf8');
    };
    expect(await ignored(await directory({}))).toBe('.sluice/\n*.plan\n');
    expect(await ignored(await directory({ '.gitignore': 'node_modules' }))).toBe('node_modules\n.sluice/\n*.plan\n');
    expect(await ignored(await directory({ '.gitignore': '/.sluice\nbuild/\n' }))).toBe('/.sluice\nbuild/\n*.plan\n');
    const both = '*.plan\n.sluice\n';
    expect(await ignored(await directory({ '.gitignore': both }))).toBe(both);
  });

  test('is a stack all the same where git cannot be configured', async () => {
    const { code, err } = await sluice(await directory({ '.gitignore/taken': '' }), 'init --name shop');
    expect(code).toBe(0);
    expect(err).toContain('.gitignore: the path is a directory (EISDIR); add .sluice/ and *.plan to your .gitignore');
  });

  test('gives a copied stack an id of its own, and keeps the comments and who may read the file', async () => {
    const dir = await directory({ 'sluice.yaml': `# ours\n${stackFile}` });
    await chmod(join(dir, 'sluice.yaml'), 0o640);
    expect((await sluice(dir, 'fmt sluice.yaml')).code).toBe(0);
    expect((await sluice(dir, 'init --new-id --state s3')).code).toBe(8);
    expect((await sluice(dir, 'init --new-id')).code).toBe(0);
    expect((await sluice(dir, 'fmt --check sluice.yaml')).code).toBe(0);
    expect((await stat(join(dir, 'sluice.yaml'))).mode & 0o777).toBe(0o640);
    const renewed = await readFile(join(dir, 'sluice.yaml'), 'utf8');
    expect(renewed).toContain('# ours');
    expect(renewed).not.toContain('5c1e7a90');
    expect((await sluice(dir, 'get reserved-addr')).code).toBe(0);
  });
});
