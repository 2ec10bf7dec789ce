import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectHarmlessText } from '../render/harmless.ts';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

const untidy = company.replace('spec: {region: eu,', 'spec: { region:   eu,  # a comment\n  ');
const tidy = `# The shop\n${company}`;

test('the manifests of a stack and its sluice.yaml are formatted, and their names are printed', async () => {
  const dir = await stack(untidy, stackFile.replace('[manifests]', '[ manifests ]'));
  expect(await sluice(dir, 'fmt --check')).toEqual({
    code: 2,
    out: 'sluice.yaml\nmanifests/company.yaml\n',
    err: 'The files above are not formatted. Run `sluice fmt` to format them.\n',
  });
  expect(await readFile(join(dir, 'manifests/company.yaml'), 'utf8')).toBe(untidy);

  expect(await sluice(dir, 'fmt')).toEqual({ code: 0, out: 'sluice.yaml\nmanifests/company.yaml\n', err: '' });
  expect(await readFile(join(dir, 'sluice.yaml'), 'utf8')).toBe(stackFile);
  expect(await readFile(join(dir, 'manifests/company.yaml'), 'utf8')).toContain('# a comment');
  expect(await sluice(dir, 'fmt --check')).toEqual({ code: 0, out: '', err: '' });
  expect(await sluice(dir, 'validate')).toMatchObject({ code: 0 });
});

test('files and directories can be named without a stack; JSON stays as it is', async () => {
  const dir = await directory({ 'a/x.yaml': 'a:   1\n', 'a/y.json': '{"a":   1}', 'z.yaml': 'a:   1\n' });
  const { code, out } = await sluice(dir, 'fmt a --format json');
  expect([code, JSON.parse(out)]).toEqual([0, { format_version: '1.0', files: ['a/x.yaml'] }]);
  expect(await readFile(join(dir, 'a/y.json'), 'utf8')).toBe('{"a":   1}');
  expect(await readFile(join(dir, 'z.yaml'), 'utf8')).toBe('a:   1\n');
});

test('if one file does not parse, no file is written', async () => {
  const dir = await directory({ 'a.yaml': 'a:   1\n', 'b.yaml': 'b: [1\n' });
  const { code, out, err } = await sluice(dir, 'fmt .');
  expect([code, out]).toEqual([8, '']);
  expect(err).toContain('b.yaml:1');
  expect(await readFile(join(dir, 'a.yaml'), 'utf8')).toBe('a:   1\n');
});

test('a file that cannot be formatted safely stays as it is, with a warning', async () => {
  const dir = await directory({ 'a.yaml': '>1\n  xx\n' });
  const { code, out, err } = await sluice(dir, 'fmt --check .');
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain('warning[NOT_FORMATTED] a.yaml:1:1');
});

test('a rewritten file keeps its permissions, and a link remains a link', async () => {
  const dir = await directory({ 'real.yaml': 'a:   1\n' });
  await chmod(join(dir, 'real.yaml'), 0o640);
  await symlink('real.yaml', join(dir, 'link.yaml'));
  expect(await sluice(dir, 'fmt link.yaml')).toMatchObject({ code: 0, out: 'link.yaml\n' });
  expect(await readFile(join(dir, 'real.yaml'), 'utf8')).toBe('a: 1\n');
  expect((await stat(join(dir, 'real.yaml'))).mode & 0o777).toBe(0o640);
});

test('standard input is printed formatted', async () => {
  const dir = await directory();
  const stdin = () => Promise.resolve(Buffer.from('a:   1 # one\n'));
  expect(await sluice(dir, 'fmt -', { stdin })).toEqual({ code: 0, out: 'a: 1 # one\n', err: '' });
  expect(await sluice(dir, 'fmt - --check', { stdin })).toMatchObject({ code: 2, out: '<stdin>\n' });
  await writeFile(join(dir, 'a.yaml'), tidy);
  expect(await sluice(dir, 'fmt - a.yaml', { stdin })).toMatchObject({ code: 8, out: '' });
});

test('a file that is formatted is not written again', async () => {
  const dir = await directory({ 'a.yaml': tidy });
  const before = await stat(join(dir, 'a.yaml'));
  expect(await sluice(dir, 'fmt a.yaml')).toEqual({ code: 0, out: '', err: '' });
  expect((await stat(join(dir, 'a.yaml'))).ino).toBe(before.ino);
});

test('the name of a file acts on no terminal and on no pipeline that reads the log', async () => {
  const dir = await directory({ 'a\n::stop-commands::x\u001b[2J\u202e.yaml': 'a:   1\n' });
  for (const args of ['fmt --check .', 'fmt .']) {
    const { out, err } = await sluice(dir, args);
    expect(out).toContain('a\\u{a}::stop-commands::x\\u{1b}[2J');
    expectHarmlessText(out + err);
  }
});
