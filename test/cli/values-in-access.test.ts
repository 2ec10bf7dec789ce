/*
 * Who can reach what is made of hosts, paths and lists of people. Some come from variables: what may be printed is, and
 * nothing else gets into hazards, state, the page or notifications.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { hastyClock } from '../attack/hasty-clock.ts';
import { watched } from '../attack/watched.ts';
import { directory, sluice, stackFile } from './terminal.ts';

const canary = 'canary-of-the-list@example.com';
const url = 'https://api.operator.example';
const env = {
  SLUICE_API_KEY: 'key',
  SLUICE_BASE_URL: url,
  SLUICE_HOOK_URL: 'https://hooks.example.com/company',
  SLUICE_VAR_HOST: 'shop.example.com:443',
  SLUICE_VAR_PATH: '/desk',
  ALLOWED: canary,
  HIDDEN_PATH: '/canary-of-the-path',
};
const file = `${stackFile}watch: {heal_drift: true, interval: 60s, notify: [{url: {from_env: SLUICE_HOOK_URL}}]}\n`;

const protection = 'oauth: {provider: {google: {email_addresses: [{from_env: ALLOWED}]}}}';
const desk = (more = protection) =>
  `\n    - {name: desk, match_type: path_prefix, match: {from_env: SLUICE_VAR_PATH}, backend: {backend_id: bkd_1}, ${more}}`;
const edge = (routes: string) => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {protect: false}
spec:
  hostports: [{from_env: SLUICE_VAR_HOST}]
  routes:
    - {name: other, match_type: exact_path, match: /other, ${protection}, backend: {backend_id: bkd_1}}${routes}
`;

/** A stack of that edge, with everything that is sent and a way to see everything that is left. */
async function stackOf(manifest: string) {
  const emulator = createEmulator({ apiKey: 'key', seed: 1 });
  const notified: string[] = [];
  const network = emulator.dispatcher().compose((dispatch) => (options, handler) => {
    if (options.origin !== url) notified.push(typeof options.body === 'string' ? options.body : '');
    return dispatch(options, handler);
  });
  const dir = await directory({ 'sluice.yaml': file, 'manifests/a.yaml': manifest });
  return {
    dir,
    io: { network, env },
    notified,
    write: (text: string) => writeFile(join(dir, 'manifests/a.yaml'), text),
    run: (line: string) => sluice(dir, line, { network, env, clock: hastyClock() }),
    kept: async () => {
      const entries = await readdir(join(dir, '.sluice'), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join();
    },
  };
}

describe('a value from a variable', () => {
  test.each(['match: {from_env: HIDDEN_PATH}', 'match: {from_env: HIDDEN_PATH}, name: desk'])(
    'that may not be printed cannot be what routes match: %s',
    async (match) => {
      const routes = `\n    - {match_type: path_prefix, ${match}, backend: {backend_id: bkd_1}}`;
      const { dir, run } = await stackOf(edge(routes));
      const saved = 'plan --out saved.json --github-annotations --gitlab-report gitlab.json';
      for (const line of [
        'validate',
        'plan',
        'plan --format json',
        'plan --format markdown',
        saved,
        'validate --format sarif',
      ]) {
        const { code, out, err } = await run(line);
        expect(code).toBe(8);
        expect(out + err).toContain('EXTERNAL_VALUE_NOT_ALLOWED');
        expect(out + err).not.toContain('canary');
      }
      expect(await readdir(dir)).not.toContain('saved.json');
    },
  );

  test('in a list of people is digested in what state remembers of who had access, and masked where it counts again', async () => {
    const { dir, io, write, run, kept, notified } = await stackOf(edge(desk()));
    const printed: string[] = [];
    const ran = async (line: string, code = 0): Promise<string> => {
      const ended = await run(line);
      expect(ended).toMatchObject({ code });
      printed.push(ended.out, ended.err);
      return ended.out;
    };
    await ran('apply --auto-approve');
    await write(edge(''));
    await ran('apply --auto-approve');
    const state = await kept();
    expect(state).toMatch(/"lastAccess": \{\s+"[^"]*shop\.example\.com[^"]*"/);
    expect(state.slice(state.indexOf('"lastAccess"'))).toContain('"from_env": "ALLOWED"');
    expect(state).not.toContain('canary');

    await write(edge(desk('response_headers: {add: {x-open: "1"}}')));
    const text = await ran('plan');
    expect(text).toContain('https://shop.example.com/desk… are served again, but no longer require authentication');
    for (const line of [
      'plan --requests --format json',
      'plan --format markdown',
      'plan --out saved.json',
      'state list',
    ])
      await ran(line);
    printed.push(await readFile(join(dir, 'saved.json'), 'utf8'));
    const { out, err } = await watched(dir, 'watch --listen 127.0.0.1:0 --poll', (more) => ({ ...io, ...more }), {
      seen: () => notified.length,
      commit: () => undefined,
    });
    console.log(out, err, notified);
    printed.push(out, err, ...notified, await kept());
    expect(out).toContain('https://shop.example.com/desk');
    expect(printed.join('\n')).not.toContain('canary');
  });

  test('in a list that is widened or opened from outside is named by its variable', async () => {
    const { write, run } = await stackOf(edge(desk()));
    await run('apply --auto-approve');
    const both = protection.replace('[{from_env: ALLOWED}]', '[{from_env: ALLOWED}, desk@example.com]');
    await write(edge(desk(both)));
    const formats = await Promise.all(['text', 'markdown', 'json'].map((format) => run(`plan --format ${format}`)));
    for (const { out, err } of formats) {
      expect(out).toMatch(/OPENS\\?_ACCESS/);
      expect(out).toContain('desk@example.com');
      expect(out + err).not.toContain('canary');
    }
  });
});
