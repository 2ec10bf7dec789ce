import type { StackContext } from '../stack-context.ts';
import { delimiter, isAbsolute, relative, resolve } from 'node:path';
import { isLoopback } from '../../model/host-in-url.ts';
import { parseProxy } from '../../api/connection/proxy.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isInGit, isInside, realTarget, withoutLinks } from '../../files/real-path.ts';
import type { Path } from '../../kinds/value.ts';
import type { StackSettings } from '../../manifest/stack-file/stack-schema.ts';
import { isInCheckout } from '../git/is-in-repository.ts';

/**
 * A setting of `sluice.yaml` that decides where a credential is sent, or which files outside the stack are read. Whoever
 * opens a pull request can edit that file, so only the operator decides these: by a variable of the environment.
 */
export interface OperatorSetting {
  /** As a user writes it, such as `api.base_url`. */
  readonly name: string;
  readonly variable: string;
  /** The flag that decides before the variable, where there is one. */
  readonly flag?: keyof StackContext['flags'];
  /** What it decides, as in "sluice.yaml does not decide …". */
  readonly decides: string;
  /** What else the operator has to do where the variable alone does not suffice, as the end of a sentence. */
  readonly besides?: string;
  /** What is refused until the operator has decided: every request, or every file but `sluice.yaml`. */
  readonly refuses: 'requests' | 'files';
  readonly written: (settings: StackSettings) => readonly { readonly path: Path; readonly value: string }[];
  /** What a value leads to, equal for two spellings of the same: an address, or a path without links. */
  readonly target: (value: string, dir: string) => string;
  /** Whether it is an address, whose origin the operator's file may trust. */
  readonly isAddress?: true;
  /** Whether a target is safe no matter who chose it. */
  readonly isHarmless: (target: string, dir: string) => boolean;
  /** Whether the text of the variable allows a target, or makes it irrelevant. */
  readonly isConfirmed: (target: string, variable: string) => boolean;
}

const addresses: Pick<OperatorSetting, 'refuses' | 'isAddress' | 'target' | 'isHarmless'> = {
  refuses: 'requests',
  isAddress: true,
  target: addressOf,
  isHarmless: isOnThisMachine,
};

const files: Omit<OperatorSetting, 'name' | 'written'> = {
  refuses: 'files',
  variable: 'SLUICE_SECRETS_DIRS',
  decides: 'which files outside the stack are read',
  target: (value, dir) => withoutLinks(resolve(dir, value)),
  isHarmless: (target, dir) => isInside(target, withoutLinks(dir)) && !isInGit(target),
  isConfirmed: (target, variable) =>
    variable.split(delimiter).some((dir) => isAbsolute(dir) && isInside(target, withoutLinks(resolve(dir)))),
};

/** Where manifests are. */
export const manifestPaths: OperatorSetting = {
  ...files,
  name: 'manifests',
  decides: 'which files outside its repository are read',
  besides: ' to the absolute path of that file or directory',
  written: ({ manifests }) => manifests.map((value, n) => ({ path: ['manifests', n], value })),
  // What is missing is reported as missing.
  target: (value, dir) => realTarget(resolve(dir, value)) ?? resolve(dir, value),
  isHarmless: (target, dir) => isInCheckout(target, dir) && !isInGit(relative(withoutLinks(dir), target)),
};

/** All of them. A new setting that sends a credential somewhere is a row here. */
export const operatorSettings: readonly OperatorSetting[] = [
  {
    ...addresses,
    name: 'api.base_url',
    variable: 'SLUICE_BASE_URL',
    decides: 'which host the API key is sent to',
    written: ({ api }) => [{ path: ['api', 'base_url'], value: api.base_url }],
    // A service on this machine is used for trying out, with the stack file of the real service.
    isConfirmed: (target, variable) => isOnThisMachine(variable) || target === addressOf(variable),
  },
  {
    ...files,
    name: 'secrets.dirs',
    written: ({ secrets }) => secrets.dirs.map((value, n) => ({ path: ['secrets', 'dirs', n], value })),
  },
  {
    ...files,
    name: 'secrets.env_files',
    written: ({ secrets }) => secrets.env_files.map((value, n) => ({ path: ['secrets', 'env_files', n], value })),
  },
  manifestPaths,
  {
    ...addresses,
    name: 'api.proxy',
    variable: 'SLUICE_PROXY',
    flag: 'proxy',
    decides: 'which proxy is used',
    written: ({ api }) => (api.proxy === undefined ? [] : [{ path: ['api', 'proxy'], value: api.proxy }]),
    target: (value) => proxyAddress(value, 'api.proxy'),
    isConfirmed: (target, variable) => {
      const given = proxyAddress(variable, 'SLUICE_PROXY');
      return isOnThisMachine(given) || given === target;
    },
  },
  {
    name: 'api.ca_file',
    variable: 'SLUICE_CA_FILE',
    flag: 'caFile',
    decides: 'which certificate authorities are trusted',
    besides:
      ' to the absolute path of that file; the file must be outside the repository of the stack, so if it is inside, move the file out and write the new path in api.ca_file',
    refuses: 'requests',
    written: ({ api }) => (api.ca_file === undefined ? [] : [{ path: ['api', 'ca_file'], value: api.ca_file }]),
    target: (value, dir) => withoutLinks(resolve(dir, value)),
    isHarmless: () => false,
    isConfirmed: (target, variable) => isAbsolute(variable) && withoutLinks(resolve(variable)) === target,
  },
  {
    ...addresses,
    name: 'state.s3.endpoint',
    variable: 'AWS_ENDPOINT_URL_S3',
    decides: 'where the state is sent',
    written: ({ state: { s3 } }) =>
      s3?.endpoint === undefined ? [] : [{ path: ['state', 's3', 'endpoint'], value: s3.endpoint }],
    isConfirmed: (target, variable) => target === addressOf(variable),
  },
];

/** Scheme, host and port, without credentials. */
function proxyAddress(text: string, from: string): string {
  const { protocol, name } = parseProxy({ text, from });
  return `${protocol}//${name}`;
}

function isOnThisMachine(url: string): boolean {
  return url === 'embedded' || (URL.canParse(url) && isLoopback(new URL(url).hostname));
}

/** Origin and path, spelled in one way and safe to print. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url === 'embedded' ? url : 'an invalid URL';
  const { origin, pathname } = new URL(url);
  return safeText(origin + pathname.replace(/\/+$/, ''), 200);
}
