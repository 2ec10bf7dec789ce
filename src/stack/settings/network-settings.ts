import type { StackContext } from '../stack-context.ts';
import { resolve } from 'node:path';
import { badCaFile, type Authorities } from '../../api/connection/ca-bundle.ts';
import { openConnections, type Connections, type NetworkSettings } from '../../api/connection/network.ts';
import type { ProxySettings } from '../../api/connection/proxy-choice.ts';
import { badProxy, parseProxy, type GivenText } from '../../api/connection/proxy.ts';
import { readSafely } from '../../files/safe-file.ts';
import type { StackSettings } from '../../manifest/stack-file/stack-schema.ts';
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
  const { io, flags } = context;
  const { env } = io;
  const proxy = firstGiven(
    { text: flags.proxy, from: '--proxy' },
    { text: env['SLUICE_PROXY'], from: 'SLUICE_PROXY' },
    { text: api.proxy, from: 'api.proxy' },
  );
  const file = firstGiven(
    { text: flags.caFile, from: '--ca-file' },
    { text: env['SLUICE_CA_FILE'], from: 'SLUICE_CA_FILE' },
    { text: api.ca_file, from: 'api.ca_file' },
  );
  if (proxy?.from === '--proxy' && parseProxy(proxy).authorization !== undefined)
    throw badProxy('--proxy', '--proxy contains credentials, which process listings show: set SLUICE_PROXY instead');
  // Node has read it already: what it trusts is not to be used.
  const { NODE_EXTRA_CA_CERTS: extra = '' } = env;
  if (extra !== '') operatorPath({ text: extra, from: 'NODE_EXTRA_CA_CERTS' }, context, dir);
  return {
    proxy: { env, ...(proxy === undefined ? {} : { given: proxy }) },
    ...(file === undefined
      ? {}
      : {
          caFile: {
            ...file,
            text: file.from === 'api.ca_file' ? resolve(dir, file.text) : operatorPath(file, context, dir),
          },
        }),
  };
}

/** Opens connections to other machines; the file of authorities is read now. */
export function connectionsBy(
  { proxy, caFile }: NetworkChoice,
  options?: Parameters<typeof openConnections>[1],
): Connections {
  const settings: NetworkSettings = {
    proxy,
    ...(caFile === undefined ? {} : { authorities: authoritiesIn(caFile, proxy.env) }),
  };
  return openConnections(settings, options);
}

/** The authorities in a file, and those of NODE_EXTRA_CA_CERTS. */
export function authoritiesIn({ text: path, from }: GivenText, env: ProxySettings['env']): Authorities {
  const read = readSafely(path);
  if ('code' in read) throw badCaFile(from, `the file ${read.message}`);
  const extra = readSafely(env['NODE_EXTRA_CA_CERTS'] ?? '');
  return { text: read.text, from, ...('text' in extra ? { extra: extra.text } : {}) };
}

/** An empty text counts as not set. */
function firstGiven(
  ...given: readonly { readonly text: string | undefined; readonly from: string }[]
): GivenText | undefined {
  return given.find((each): each is GivenText => each.text !== undefined && each.text.trim() !== '');
}
