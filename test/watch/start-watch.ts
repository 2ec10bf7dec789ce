import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { StatusJson } from '../../src/render/status/status-json-schema.ts';
import { directory, ran, type Ended } from '../cli/terminal.ts';

/** The environment of every command. */
export const env = { SLUICE_API_KEY: 'k3y' };

/** A stack file with these settings of `watch`, in a hurry. */
export const stackFile = (watch: string, policy = '{max_deletes: 1}'): string => `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
policy: ${policy}
watch: {${watch}, interval: 1s, debounce: 1s, scan_interval: 1s}
`;

/** An edge whose route asks for a sign-in with an account of these domains. */
export const signedInEdge = (domains: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oauth: {provider: {google: {email_domains: [${domains}]}}}
`;

/** One reserved address. */
export const address = (description: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {description: ${description}}
`;

/** A watch that runs in this process, against an emulator over HTTP. */
export interface Watched {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly log: () => string;
  /** Where its emulator is, and the key. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the status page is. */
  readonly page: () => string;
  /** The status as JSON. */
  readonly status: () => Promise<StatusJson>;
  readonly write: (name: string, text: string) => Promise<void>;
  /** The one address in the account. */
  readonly described: () => Promise<unknown>;
  /** A person changes the address. */
  readonly byHand: (body: unknown) => Promise<void>;
  /** Waits until something holds, for at most half a minute. */
  readonly until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<Ended>;
}

/** Starts a watch of these manifests, with flags that may depend on its directory. */
export async function startWatch(
  watch: string,
  files: Readonly<Record<string, string>>,
  policy?: string,
  variables: Readonly<Record<string, string>> = {},
  flags: (dir: string) => readonly string[] = () => [],
): Promise<Watched> {
  const emulator = createEmulator();
  const served = await emulator.listen({});
  onTestFinished(() => served.close());
  const manifests = Object.entries(files).map(([name, text]): [string, string] => [`manifests/${name}`, text]);
  const dir = await directory({ 'sluice.yaml': stackFile(watch, policy), ...Object.fromEntries(manifests) });
  const over = new AbortController();
  let log = '';
  const ended = ran(dir, ['watch', '--listen', '127.0.0.1:0', '--poll', ...flags(dir)], {
    env: { ...env, ...variables, SLUICE_BASE_URL: served.url },
    signal: over.signal,
    err: (text) => {
      log += text;
    },
  });
  // A watch that still writes fails the removal of its directory.
  onTestFinished(async () => {
    over.abort();
    await ended;
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${served.url}${path}`, {
      method,
      headers: { authorization: 'Bearer k3y', 'example-version': '2', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const there = async (): Promise<{ readonly id: string; readonly description?: string } | undefined> => {
    const list = (await call('GET', '/reserved_addrs')) as { reserved_addrs: { id: string; description?: string }[] };
    return list.reserved_addrs[0];
  };
  const page = (): string => /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1] ?? '';
  return {
    dir,
    emulator,
    log: () => log,
    env: { ...env, SLUICE_BASE_URL: served.url },
    page,
    status: async () => (await (await fetch(`${page()}/status.json`)).json()) as StatusJson,
    write: (name, text) => writeFile(join(dir, 'manifests', name), text),
    described: async () => (await there())?.description,
    byHand: async (body) => {
      await call('PATCH', `/reserved_addrs/${(await there())?.id ?? ''}`, body);
    },
    until: async (holds) => {
      for (let tries = 0; tries < 1_200 && !(await holds()); tries++)
        await new Promise((done) => setTimeout(done, 100));
      expect(await holds(), log).toBe(true);
    },
    stop: async () => {
      over.abort();
      const { code } = await ended;
      await expect(readFile(join(dir, '.sluice/lock'))).rejects.toThrow();
      return { code, out: '', err: log };
    },
  };
}
