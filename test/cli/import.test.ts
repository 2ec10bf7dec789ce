import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { company, sluice, stack, type Ended } from './terminal.ts';

interface Account {
  /** Makes something by hand; its id. */
  readonly make: (path: string, body: object) => Promise<string>;
  readonly run: (args: string) => Promise<Ended>;
  readonly show: (path: string) => Promise<Record<string, unknown>>;
  readonly state: () => Promise<string>;
  readonly write: (manifests: string) => Promise<void>;
}

/** The company, of which nothing has been applied yet. */
async function account(manifests = company): Promise<Account> {
  const { url, close } = await createEmulator({ seed: 5 }).listen();
  onTestFinished(close);
  const dir = await stack(manifests);
  const headers = { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' };
  const answer = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> =>
    (await (await fetch(url + path, { headers, ...init })).json()) as Record<string, unknown>;
  return {
    run: (args) => sluice(dir, args, { env: { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' } }),
    make: async (path, body) => String((await answer(path, { method: 'POST', body: JSON.stringify(body) }))['id']),
    show: answer,
    write: (text) => writeFile(join(dir, 'manifests/company.yaml'), text),
    state: () => readFile(join(dir, '.sluice/state.json'), 'utf8'),
  };
}

test('import makes a live resource the described one: what differs is shown and changed, nothing else is touched', async () => {
  const { make, run, show } = await account();
  const id = await make('/reserved_addrs', { region: 'eu', description: 'Old sensors' });
  const { code, out } = await run(`import ReservedAddr/mqtt ${id} --auto-approve`);
  expect(code).toBe(0);
  expect(out).toContain('> ReservedAddr/mqtt');
  expect(out).toMatch(/description: "?Old sensors"? *(→|->) *Sensors/);
  const after = await show(`/reserved_addrs/${id}`);
  expect(after).toMatchObject({ description: 'Sensors' });
  expect(String(after['metadata'])).toContain('company/5c1e7a90');
  expect((await run('plan')).out).not.toContain('mqtt');
});

test('import asks, and where nobody can be asked it needs --auto-approve', async () => {
  const { make, run, show } = await account();
  const id = await make('/reserved_addrs', { region: 'eu' });
  expect(await run(`import ReservedAddr/mqtt ${id}`)).toMatchObject({ code: 8 });
  expect(await show(`/reserved_addrs/${id}`)).toMatchObject({ metadata: '' });
});

test('import takes a route by its address in an edge of this stack', async () => {
  const withoutRoute = company.replace(/ {2}routes:\n.*\n/, '');
  const here = await account(withoutRoute);
  await here.run('apply --auto-approve');
  const edge = /edghts_\w+/.exec(await here.state())?.[0] ?? '';
  const body = { match_type: 'path_prefix', match: '/', backend: { backend_id: 'bkd_1' } };
  const route = await here.make(`/edges/https/${edge}/routes`, body);
  await here.write(company);
  expect(await here.run(`import HTTPSEdgeRoute/shop:front ${route} --auto-approve`)).toMatchObject({ code: 0 });
  expect(await here.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('import of what is bound already does nothing, also under --format json', async () => {
  const { make, run } = await account();
  const id = await make('/reserved_addrs', { region: 'eu' });
  await run(`import ReservedAddr/mqtt ${id} --auto-approve`);
  const again = await run(`import ReservedAddr/mqtt ${id} --auto-approve --format json`);
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.out)).toMatchObject({ imported: { address: 'ReservedAddr/mqtt', id } });
});

test.each(['ReservedAddr/nope', 'ReservedAddr/nope ra_1', 'reserved-addr/nope', 'ReservedAddr/n*'])(
  'import %s refuses an address that the manifests do not define, with or without an id',
  async (args) => {
    const { code, err } = await (await account()).run(`import ${args}`);
    expect(code).toBe(8);
    expect(err).toContain('the manifests do not define "ReservedAddr/n');
  },
);

test('import without an id takes the short name of a kind', async () => {
  const { run } = await account();
  await run('apply --auto-approve');
  const managed = await run('import reserved-addr/mqtt --auto-approve');
  expect(managed).toMatchObject({ code: 0 });
  expect(managed.err).toContain('ReservedAddr/mqtt already manages the resource ra_');
  expect(await run('import mqtt')).toMatchObject({ code: 8 });
});

test('import refuses an address that is another resource already', async () => {
  const { make, run } = await account();
  await run('apply --auto-approve');
  const id = await make('/reserved_addrs', { region: 'eu' });
  const { code, err } = await run(`import ReservedAddr/mqtt ${id} --auto-approve`);
  expect(code).toBe(3);
  expect(err).toMatch(/ReservedAddr\/mqtt already manages the resource ra_\w+/);
});

test('import refuses an id that is another address of this stack already', async () => {
  const second = company.replace(
    '---\n',
    '---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: spare}\n---\n',
  );
  const here = await account();
  await here.run('apply --auto-approve');
  const id = /ra_\w+/.exec(await here.state())?.[0] ?? '';
  await here.write(second);
  const { code, err } = await here.run(`import ReservedAddr/spare ${id} --auto-approve`);
  expect(code).toBe(8);
  expect(err).toContain(`${id} is already managed by this stack as ReservedAddr/mqtt`);
});

test('import refuses what carries the marker of another stack, until that stack is named', async () => {
  const { make, run } = await account();
  const marker = { s: 'office/0ff1ce00', a: 'ReservedAddr/printer', p: 'p', n: '000000000000' };
  const id = await make('/reserved_addrs', { region: 'eu', metadata: JSON.stringify({ sluice: marker }) });
  const refused = await run(`import ReservedAddr/mqtt ${id} --auto-approve`);
  expect(refused).toMatchObject({ code: 8 });
  expect(refused.err).toContain('belongs to the stack office/0ff1ce00');
  expect(await run(`import ReservedAddr/mqtt ${id} --auto-approve --adopt-from 0ff1ce00`)).toMatchObject({ code: 0 });
});

test.each([
  ['an address that no manifest has', 'ReservedAddr/mqt ra_1', 'did you mean ReservedAddr/mqtt?'],
  ['an id that is not there', 'ReservedAddr/mqtt ra_none', 'cannot adopt ra_none: no ReservedAddr has this id'],
])('import refuses %s', async (_, words, reported) => {
  const { run } = await account();
  const { code, err } = await run(`import ${words} --auto-approve`);
  expect({ code, err }).toMatchObject({ code: 8, err: expect.stringContaining(reported) as string });
});

test('import refuses an id of another kind, and what could only be made anew', async () => {
  const { make, run } = await account();
  const edge = await make('/edges/https', {});
  expect(await run(`import ReservedAddr/mqtt ${edge} --auto-approve`)).toMatchObject({ code: 8 });
  const elsewhere = await make('/reserved_addrs', { region: 'us' });
  const { code, err } = await run(`import ReservedAddr/mqtt ${elsewhere} --auto-approve`);
  expect(code).toBe(8);
  expect(err).toContain('region');
});

test('the help of import says how to stop managing a resource that stays in the account, and the advice works', async () => {
  const { make, run, show, write } = await account();
  const help = (await run('import --help')).out.replace(/\s+/g, ' ');
  expect(help).not.toContain('state forget');
  const [, advice = ''] = /To undo an import and keep the live resource, ([^.]*)\./.exec(help) ?? [];
  expect(advice).toBe(
    'set `lifecycle: {on_remove: retain}` in the manifest of the resource, run `sluice apply`, remove the manifest, and run `sluice apply` again',
  );

  const id = await make('/reserved_addrs', { region: 'eu' });
  await run(`import ReservedAddr/mqtt ${id} --auto-approve`);
  await write(company.replace('lifecycle: {protect: false}', 'lifecycle: {on_remove: retain}'));
  await run('apply --auto-approve');
  await write(company.slice(company.indexOf('---')));
  expect((await run('apply --auto-approve')).err).toContain('ReservedAddr/mqtt forgotten');
  expect(await show(`/reserved_addrs/${id}`)).toMatchObject({ id, metadata: '' });
});

test('import of an address with * that the manifests do not define names the argument', async () => {
  const { make, run } = await account();
  const id = await make('/reserved_addrs', { region: 'eu' });
  const { code, err } = await run(`import ReservedAddr/x* ${id} --auto-approve`);
  expect([code, err]).toEqual([8, expect.stringContaining('the manifests do not define "ReservedAddr/x*"')]);
  expect(err).not.toContain('--target');
});
