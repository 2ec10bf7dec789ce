import { describe, expect, test } from 'vitest';
import { kindWords } from '../../src/derive/explain/kind-words.ts';
import { kinds } from '../../src/kinds/index.ts';
import { directory, sluice, stack, stackFile } from './terminal.ts';

describe('a command of another tool', () => {
  test.each([
    ['diff', '`sluice plan`'],
    ['up', '`sluice apply`'],
    ['delete', 'remove the manifest'],
    ['describe', '`sluice get KIND NAME -o yaml`'],
    ['refresh', '`sluice plan --drift-only`'],
    ['ls', '`sluice state list`'],
    ['edges', '`sluice get edges`'],
    ['plna', '`sluice plan`'],
    ['destory', '`sluice destroy`'],
    ['version', '`sluice --version`'],
    ['graph', '`sluice exposure --format svg`'],
    ['xyzzy', '`sluice help`'],
  ])('%s runs nothing and names what to run: %s', async (word, hint) => {
    const { code, out, err } = await sluice(await directory(), word);
    expect([code, out]).toEqual([8, '']);
    expect(err).toContain(`error: unknown command "${word}"\n`);
    expect(err).toContain(hint);
    if (word !== 'destory') expect(err).not.toContain('destroy');
  });

  test('is reported in JSON with its hint', async () => {
    const { out } = await sluice(await directory(), 'diff --format json');
    expect(JSON.parse(out)).toMatchObject({ error: { hint: 'run `sluice plan` to show what would change' } });
  });
});

test.each([
  ['help plna', 'plna', 'did you mean `sluice plan`?'],
  ['help diff', 'diff', 'run `sluice plan` to show what would change'],
  ['help state mv', 'mv', 'write `lifecycle: {moved_from: ADDRESS}` in the manifest'],
  ['state help lst', 'lst', 'did you mean `sluice state list`?'],
])('%s names what to run, as the command without help does', async (line, word, hint) => {
  expect(await sluice(await directory(), line)).toEqual({
    code: 8,
    out: '',
    err: `error: unknown command "${word}"\n  ${hint}\n`,
  });
});

test.each([
  ['help', 'Usage: sluice [options] [command]'],
  ['help help', 'Usage: sluice help'],
  ['help state', 'Usage: sluice state [options] [command]'],
  ['help state list', 'Usage: sluice state list'],
  ['state help list', 'Usage: sluice state list'],
])('%s shows %s', async (line, usage) => {
  const { code, out } = await sluice(await directory(), line);
  expect([code, out]).toEqual([0, expect.stringContaining(usage)]);
});

test.each([
  ['sluice.yaml', stackFile, 'a stack file (sluice.yaml)'],
  ['shop.yaml', 'apiVersion: sluice/v1\nkind: HTTPSEdge\n', 'a manifest'],
  ['plan.json', '{\n  "format_version": "1.0"\n}\n', 'the JSON output of a command'],
  ['state.json', '{"format":1,"lineage":"a"}', 'a state file'],
])('show %s reports that show takes a saved plan, and what the file seems to be', async (name, text, what) => {
  const dir = await directory({ [name]: text });
  for (const command of ['show', 'comment'])
    expect((await sluice(dir, `${command} ${name}`)).err).toContain(
      `error: ${name} is not a saved plan, but seems to be ${what}\n  pass a file written by \`sluice plan --out FILE\``,
    );
});

test.each([
  ['state mv HTTPSEdge/a HTTPSEdge/b', 'write `lifecycle: {moved_from: ADDRESS}` in the manifest'],
  ['state lst', 'did you mean `sluice state list`?'],
  ['get', 'run `sluice explain` to list the kinds'],
  ['rollback', 'run `sluice rollback --help` to list the arguments'],
  ['plan extra', 'name files and directories of manifests with `-f PATH`, and a resource with `--target KIND/NAME`'],
  ['plan --taget a', 'did you mean `--target`?'],
])('%s reports what to write: %s', async (line, hint) => {
  const { code, err } = await sluice(await directory(), line);
  expect([code, err.split('\n').slice(1).join('\n')]).toEqual([8, `  ${hint}\n`]);
});

test('labels that no resource has are an error, like a target that matches none', async () => {
  const dir = await stack(`apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a}\nspec: {}\n`);
  expect(await sluice(dir, 'plan -l team=nobody')).toMatchObject({
    code: 8,
    err: 'error: -l: no resource in the manifests has the labels team=nobody\n  labels are in `metadata.labels` of manifests\n',
  });
});

test('what cannot be an address is reported before anybody is asked', async () => {
  const dir = await stack('');
  for (const command of ['import HTTPSEdges edghts_1', 'output HTTPSEdges'])
    expect((await sluice(dir, command)).err).toContain('error: "HTTPSEdges" is not an address\n');
  for (const command of ['import HTTPEdge/shop edghts_1', 'output HTTPEdge/shop'])
    expect((await sluice(dir, command)).err).toBe('error: unknown kind "HTTPEdge"\n  did you mean HTTPSEdge?\n');
  expect((await sluice(dir, 'import foo edghts_1')).err).toContain(
    'error: "foo" is not an address\n  write Kind/name, as `sluice plan` prints it\n',
  );
});

test('a resource that is exported by its name is named with its id', async () => {
  const dir = await stack(`apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a}\nspec: {}\n`);
  expect((await sluice(dir, 'apply --auto-approve')).code).toBe(0);
  expect((await sluice(dir, 'export ReservedAddr/a')).err).toMatch(
    /export requires ids: run `sluice export reserved-addr\/ra_\w+`/,
  );
});

test('a kind has its name, its last words and its initials, in the singular and the plural', () => {
  const words = kindWords(kinds);
  const named = (word: string) => words.get(word)?.name;
  for (const word of ['httpsedge', 'edge', 'edges', 'httpsedges']) expect(named(word)).toBe('HTTPSEdge');
  for (const word of ['route', 'routes', 'edgeroutes']) expect(named(word)).toBe('HTTPSEdgeRoute');
  for (const word of ['ca', 'cas', 'authority', 'certificateauthorities'])
    expect(named(word)).toBe('CertificateAuthority');
  for (const word of ['addr', 'addrs', 'ra']) expect(named(word)).toBe('ReservedAddr');
  for (const kind of kinds.all) expect(named(kind.name.toLowerCase())).toBe(kind.name);
});

describe('explain', () => {
  test('without an argument lists the kinds and what else can be explained', async () => {
    const { code, out } = await sluice(await directory(), 'explain');
    expect(code).toBe(0);
    for (const { name } of kinds.all) expect(out).toContain(`\n${name} `);
    for (const name of ['External', 'ModuleSet', 'metadata', 'lifecycle', 'values', 'sluice.yaml'])
      expect(out).toContain(`\n${name} `);
  });

  test.each([
    ['External', 'type one of backend'],
    ['module-set', 'oauth'],
    ['lifecycle', 'protect boolean'],
    ['edges.lifecycle.protect', 'True: sluice refuses'],
    ['metadata', 'labels mapping'],
    ['values', 'from_env string'],
    ['sluice.yaml', 'policy mapping'],
    ['sluice.yaml.api.base_url', 'URL of the API'],
    ['edges.spec.hostports', 'Hostports that the edge serves'],
  ])('%s shows %s', async (what, shown) => {
    const { code, out } = await sluice(await directory(), `explain ${what}`);
    expect([code, out]).toEqual([0, expect.stringContaining(shown)]);
  });

  test('names the kinds that have a field of the lifecycle block', async () => {
    const { out } = await sluice(await directory(), 'explain lifecycle');
    expect(out.match(/Only for\s+resources\s+of\s+kind\s+SSHHostCertificate/g)).toHaveLength(3);
    const one = await sluice(await directory(), 'explain lifecycle.renew_before');
    expect(one.out).toMatch(/Only for\s+resources\s+of\s+kind\s+SSHHostCertificate/);
  });

  test('names the fields that there are', async () => {
    const { code, err } = await sluice(await directory(), 'explain sluice.yaml.api.base');
    expect([code, err]).toEqual([8, expect.stringContaining('sluice.yaml.api: unknown field "base"')]);
  });
});

test('what does not exist exits 1 with a code of its own', async () => {
  const dir = await stack();
  for (const [command, code] of [
    ['sessions get ts_1', 'SESSION_NOT_FOUND'],
    ['endpoints get ep_1', 'ENDPOINT_NOT_FOUND'],
    ['abuse-reports get abrp_1', 'ABUSE_REPORT_NOT_FOUND'],
    ['get edges nope', 'RESOURCE_NOT_FOUND'],
  ] as const) {
    const ended = await sluice(dir, `${command} --format json`);
    expect([command, ended.code, JSON.parse(ended.out)]).toMatchObject([command, 1, { error: { code } }]);
  }
});

test('a filter with a value that cannot be is an error that names the values', async () => {
  const dir = await stack();
  const { code, err } = await sluice(dir, 'endpoints list --type bogus');
  expect([code, err]).toEqual([8, expect.stringContaining('edge, ephemeral')]);
  expect((await sluice(dir, 'endpoints list --proto htp')).err).toContain('did you mean `http`?');
});

test('destroy without a terminal shows the plan before it refuses', async () => {
  const dir = await stack();
  expect((await sluice(dir, 'apply --yes')).code).toBe(0);
  const { code, out, err } = await sluice(dir, 'destroy');
  expect(code).toBe(8);
  expect(out).toContain('- HTTPSEdge/shop');
  expect(err).toContain('pass --auto-approve');
  expect((await sluice(dir, 'destroy -y')).code).toBe(0);
});

test.each([
  ['addresses', 'did you mean ReservedAddr?'],
  ['certs', 'did you mean CertificateAuthority or SSHHostCertificate?'],
  ['subs', 'did you mean EventSubscription?'],
  ['xyzzy', 'use one of: HTTPSEdge,'],
])('get %s names the kinds that are meant: %s', async (word, hint) => {
  expect((await sluice(await stack(), `get ${word}`)).err).toContain(hint);
});
