import type { StackContext } from '../stack-context.ts';
import { resolve } from 'node:path';
import { badCaFile, type Authorities } from '../../api/connection/ca-bundle.ts';
import { openConnections, type Connections } from '../../api/connection/network.ts';
import type { ProxySettings } from '../../api/connection/proxy-choice.ts';
import { badProxy, parseProxy, type GivenText } from '../../api/connection/proxy.ts';
import { readSafely } from '../../files/safe-file.ts';
import type { StackSettings } from '../../manifest/stack-file/stack-schema.ts';
import { present } from '../../model/present.ts';
import { operatorPath } from './operator-path.ts';

/** How a command reaches other machines: by its flags, else the environment, else `sluice.yaml`. */
export interface NetworkChoice {
  readonly proxy: ProxySettings;
  /** A path, and what names it. */
  readonly caFile?: GivenText;
}

/** The network settings of a run; `api` is the section of the stack file in `dir`. */
export function networkChoice(
  context: Pick<StackContext, 'io' | 'flags' | 'isUnattended'>,
  api: Partial<Pick<StackSettings['api'], 'proxy' | 'ca_file'>>,
  dir: string,
): NetworkChoice {
  const { flags } = context;
  const { env } = context.io;
  const proxy = firstGiven({ '--proxy': flags.proxy, SLUICE_PROXY: env['SLUICE_PROXY'], 'api.proxy': api.proxy });
  const { SLUICE_CA_FILE } = env;
  const file = firstGiven({ '--ca-file': flags.caFile, SLUICE_CA_FILE, 'api.ca_file': api.ca_file });
  if (proxy?.from === '--proxy' && parseProxy(proxy).authorization !== undefined)
    throw badProxy('--proxy', '--proxy contains credentials, which process listings show: set SLUICE_PROXY instead');
  // Node has read it already: what it trusts is not to be used.
  const { NODE_EXTRA_CA_CERTS: extra = '' } = env;
  if (extra !== '') operatorPath({ text: extra, from: 'NODE_EXTRA_CA_CERTS' }, context, dir);
  const ofStack = file?.from === 'api.ca_file' ? { ...file, text: resolve(dir, file.text) } : undefined;
  const caFile = ofStack ?? (file && { ...file, text: operatorPath(file, context, dir) });
  return { proxy: { env, ...present({ given: proxy }) }, ...present({ caFile }) };
}

/** Opens connections to other machines; the file of authorities is read now. */
export function connectionsBy(
  { proxy, caFile }: NetworkChoice,
  options?: Parameters<typeof openConnections>[1],
): Connections {
  const authorities = caFile && authoritiesIn(caFile, proxy.env);
  return openConnections({ proxy, ...present({ authorities }) }, options);
}

/** The authorities in a file, and those of NODE_EXTRA_CA_CERTS. */
export function authoritiesIn({ text: path, from }: GivenText, env: ProxySettings['env']): Authorities {
  const read = readSafely(path);
  if ('code' in read) throw badCaFile(from, `the file ${read.message}`);
  const extra = readSafely(env['NODE_EXTRA_CA_CERTS'] ?? '');
  return { text: read.text, from, ...('text' in extra ? { extra: extra.text } : {}) };
}

/** The first text by what gives it; an empty one counts as not set. */
function firstGiven(given: Readonly<Record<string, string | undefined>>): GivenText | undefined {
  const [first] = Object.entries(given).filter(([, text = '']) => text.trim() !== '');
  return first && { from: first[0], text: first[1] ?? '' };
}
