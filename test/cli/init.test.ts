import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { directory, sluice } from './terminal.ts';

const secrets = { DEPLOY_WEBHOOK_SECRET: 'a', SHOP_GITHUB_CLIENT_SECRET: 'b', SHOP_OIDC_CLIENT_SECRET: 'c' };
const asked = { terminal: { in: true, out: true, err: true } };
const answering = (answer: string) => ({ ...asked, ask: () => Promise.resolve(answer) });

describe('sluice init', () => {
  test('writes a stack whose manifest can be validated, planned and applied at once', async () => {
    const dir = await directory();
    const { code, out } = await sluice(dir, 'init --name shop');
    expect([code, out]).toEqual([0, expect.stringContaining('manifests/web.yaml')]);
    expect(await sluice(dir, 'validate')).toMatchObject({ code: 0, out: '2 resources are valid.\n', err: '' });
    expect((await sluice(dir, 'plan')).out).toContain('2 to create; 2 API requests.');
    expect((await sluice(dir, 'apply', answering('yes'))).code).toBe(0);
    expect((await sluice(dir, 'plan')).out).toContain('No changes.');
    expect((await sluice(dir, 'destroy --auto-approve')).code).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')('ends where no directory can be made', async () => {
    expect(await sluice(await directory(), '-C /proc/sluice/shop init')).toMatchObject({
      code: 8,
      err: expect.stringContaining('cannot write /proc/sluice/shop/sluice.yaml') as string,
    });
  });

  test('offers sign-in in a comment that is valid once the # is removed', async () => {
    const dir = await directory();
    await sluice(dir, 'init');
    const path = join(dir, 'manifests/web.yaml');
    const text = readFileSync(path, 'utf8').replace('# oauth:', 'oauth:');
    const other = await directory({ 'manifests/web.yaml': text });
    await sluice(other, 'init');
    expect((await sluice(other, 'plan')).out).toContain('oauth.provider.google.email_domains: [example.com]');
  });

  test('adds no manifest to those that are there already, or with --empty', async () => {
    const dir = await directory({ 'manifests/own.yaml': '' });
    await sluice(dir, 'init');
    expect(readdirSync(join(dir, 'manifests'))).toEqual(['own.yaml']);

    const empty = await directory();
    expect((await sluice(empty, 'init --empty')).out).toContain('when manifests/ contains your manifests');
    const { code, err } = await sluice(empty, 'validate');
    expect([code, err]).toEqual([8, expect.stringContaining('hint: add a manifest')]);
    expect(err).not.toContain('destroy');
  });

  test.each(['manifests', 'schemas'])('writes nothing where %s is a file or a link to nothing', async (name) => {
    const [file, link] = [await directory({ [name]: '' }), await directory()];
    symlinkSync('nowhere', join(link, name));
    for (const dir of [file, link]) {
      const { code, err } = await sluice(dir, 'init');
      expect([code, err]).toEqual([8, expect.stringContaining(`${join(dir, name)} is not a directory`)]);
      expect(readdirSync(dir)).toEqual([name]);
    }
  });

  test('adds nothing to a file elsewhere that a link in the place of .gitignore leads to', async () => {
    const root = await directory({ '.profile': 'export A=1\n', 'stack/README.md': '' });
    const dir = join(root, 'stack');
    symlinkSync('../.profile', join(dir, '.gitignore'));
    const { code, err } = await sluice(dir, 'init --name shop');
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('.gitignore: the path is a link to a file in another directory; add .sluice/ and *.plan'),
    ]);
    expect(readFileSync(join(root, '.profile'), 'utf8')).toBe('export A=1\n');
  });

  test('--example writes the example company and names the variables it needs', async () => {
    const dir = await directory();
    const { out } = await sluice(dir, 'init --example');
    for (const name of Object.keys(secrets)) expect(out).toContain(`${name}=example`);
    expect(await sluice(dir, 'validate', { env: secrets })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ resources are valid; access rules: 1 proved\.\n$/) as string,
    });
    expect((await sluice(dir, 'apply --auto-approve', { env: secrets })).code).toBe(0);

    const again = await sluice(await directory({ 'manifests/own.yaml': '' }), 'init --example');
    expect([again.code, again.err]).toEqual([8, expect.stringContaining('manifests is not empty')]);
  });

  test('--example: each file names a schema that is there', async () => {
    const dir = await directory();
    const { files } = JSON.parse((await sluice(dir, 'init --example --format json')).out) as { files: string[] };
    for (const file of files.filter((file) => /^(sluice\.yaml|manifests\/)/.test(file))) {
      const [, schema = ''] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(join(dir, file), 'utf8')) ?? [];
      expect(schema).toMatch(/schemas/);
      expect([file, existsSync(resolve(dir, file, '..', schema))]).toEqual([file, true]);
    }
  });

  test('each file names a schema that is there, and follows it', async () => {
    const dir = await directory();
    const { files } = JSON.parse((await sluice(dir, 'init --format json')).out) as { files: string[] };
    const yaml = files.filter((file) => /^(sluice\.yaml|manifests\/)/.test(file));
    expect(yaml.length).toBeGreaterThan(1);
    for (const file of yaml) {
      const text = readFileSync(join(dir, file), 'utf8');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      const check = new Ajv2020({ strict: false, validateFormats: false }).compile(
        JSON.parse(readFileSync(resolve(dir, file, '..', schema), 'utf8')) as object,
      );
      for (const document of parseAllDocuments(text)) expect([file, check(document.toJS())]).toEqual([file, true]);
    }
  });
});

describe('a question', () => {
  test.each(['y', 'Y', 'YES', ' yes', 'yes ', 'yes please', ''])('is answered with no by %j', async (answer) => {
    const dir = await directory();
    await sluice(dir, 'init');
    const { code, err } = await sluice(dir, 'apply', answering(answer));
    expect([code, err]).toEqual([1, expect.stringContaining('Not approved. Nothing was written.')]);
  });
});
