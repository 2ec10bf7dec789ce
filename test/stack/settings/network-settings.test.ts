import { join } from 'node:path';
import { expect, test } from 'vitest';
import { networkChoice } from '../../../src/stack/settings/network-settings.ts';
import { directory } from '../../cli/terminal.ts';

interface Given {
  readonly flags?: { readonly proxy?: string; readonly caFile?: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly api?: { readonly proxy?: string; readonly ca_file?: string };
}

/** The network of a stack in /stack, of which a command runs in /work. */
function choice({ flags = {}, env = {}, api = {} }: Given) {
  const { proxy, caFile } = networkChoice({ io: { env, cwd: '/work' }, flags } as never, api, '/stack');
  return { proxy: proxy.given, caFile };
}

const api = { proxy: 'http://settings.example.com:1', ca_file: 'ca.pem' };
const env = { SLUICE_PROXY: 'http://environment.example.com:1', SLUICE_CA_FILE: 'env.pem' };
const flags = { proxy: 'http://flag.example.com:1', caFile: 'flag.pem' };

test('a flag comes before the environment, and that before sluice.yaml, whose paths begin at the stack', () => {
  expect(choice({})).toEqual({ proxy: undefined, caFile: undefined });
  expect(choice({ api })).toEqual({
    proxy: { text: 'http://settings.example.com:1', from: 'api.proxy' },
    caFile: { text: '/stack/ca.pem', from: 'api.ca_file' },
  });
  expect(choice({ api, env })).toEqual({
    proxy: { text: 'http://environment.example.com:1', from: 'SLUICE_PROXY' },
    caFile: { text: '/work/env.pem', from: 'SLUICE_CA_FILE' },
  });
  expect(choice({ api, env, flags })).toEqual({
    proxy: { text: 'http://flag.example.com:1', from: '--proxy' },
    caFile: { text: '/work/flag.pem', from: '--ca-file' },
  });
});

test('an empty text counts as not set', () => {
  expect(choice({ api, env: { SLUICE_PROXY: '', SLUICE_CA_FILE: ' ' } })).toMatchObject({
    proxy: { from: 'api.proxy' },
    caFile: { from: 'api.ca_file' },
  });
});

test('in a pipeline and for a watch, the operator names authorities outside the repository, which no commit can change', async () => {
  const root = await directory({ 'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/stack/sluice.yaml': '' });
  const cwd = join(root, 'repo/stack');
  const chosen = (SLUICE_CA_FILE: string, { CI = '', isUnattended = false }) =>
    networkChoice({ io: { env: { SLUICE_CA_FILE, CI }, cwd }, flags: {}, isUnattended } as never, {}, cwd).caFile?.text;
  for (const run of [{ CI: 'true' }, { isUnattended: true }]) {
    expect(() => chosen('../ca.pem', run)).toThrow('ca.pem is inside the repository of the stack');
    expect(chosen('../../ca.pem', run)).toBe(join(root, 'ca.pem'));
  }
  expect(chosen('../ca.pem', {})).toBe(join(root, 'repo/ca.pem'));
});

test('in a pipeline and for a watch, authorities that Node has read from the repository are refused as well', async () => {
  const root = await directory({ 'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/stack/sluice.yaml': '' });
  const cwd = join(root, 'repo/stack');
  const chosen = (NODE_EXTRA_CA_CERTS: string, { CI = '', isUnattended = false }) =>
    networkChoice({ io: { env: { NODE_EXTRA_CA_CERTS, CI }, cwd }, flags: {}, isUnattended } as never, {}, cwd);
  for (const run of [{ CI: 'true' }, { isUnattended: true }]) {
    expect(() => chosen('../ca.pem', run)).toThrow(
      /^NODE_EXTRA_CA_CERTS: .*ca\.pem is inside the repository of the stack/,
    );
    expect(() => chosen('../../ca.pem', run)).not.toThrow();
  }
  expect(() => chosen('../ca.pem', {})).not.toThrow();
});

test('credentials of a proxy may be in a variable, but not in a flag, which process listings show', () => {
  const proxy = 'http://ada:s3cret@proxy.example.com:3128';
  expect(choice({ env: { SLUICE_PROXY: proxy } }).proxy?.text).toBe(proxy);
  expect(() => choice({ flags: { proxy } })).toThrow('--proxy contains credentials');
  expect(() => choice({ flags: { proxy } })).not.toThrow('s3cret');
});
