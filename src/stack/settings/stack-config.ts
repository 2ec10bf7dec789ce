import type { StackSettings } from '../../manifest/stack-file/stack-schema.ts';
import type { StackContext } from '../stack-context.ts';
import { dirname, resolve } from 'node:path';
import { hasErrors, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { readStackFile, stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import { declaredRules } from '../../manifest/stack-file/declared-rules.ts';
import type { FindStack } from '../../manifest/expand/find-outputs.ts';
import type { OwnCredentials } from '../../manifest/check/own-credentials.ts';
import type { Variables } from '../../manifest/variables/variables.ts';
import type { Policy, Stack } from '../../model/stack.ts';
import { checkedOut, type GitHead } from '../git/git-head.ts';
import { otherStacks } from '../outputs/other-stacks.ts';
import { latestCredential } from './credential.ts';
import { unsafeLease } from './lease-settings.ts';
import { networkChoice, type NetworkChoice } from './network-settings.ts';
import { readOperatorPolicy, type OperatorPolicy, deletionLimitOf } from './operator-policy.ts';
import { stackVariables } from './stack-variables.ts';
import { untrustedSettings } from './untrusted-settings.ts';
import { selectStack, stackFileAtHand } from '../stack-file-at-hand.ts';
import { UsageError } from '../usage-error.ts';
import { readSafely } from '../../files/safe-file.ts';
import { present } from '../../model/present.ts';

/** The configuration of a stack for this run: its file, overridden by the environment. */
export interface StackConfig extends StackFile {
  /** What was checked out before any of its files was read; undefined outside of git. */
  readonly head: GitHead | undefined;
  readonly stack: Stack;
  readonly policy: Policy;
  /** `embedded`, or the address of a service. */
  readonly baseUrl: string;
  /** What the operator requires outside the repository; undefined: nothing. */
  readonly operator: OperatorPolicy | undefined;
  /** Settings that forbid sending the API key anywhere; empty in most stacks. */
  readonly untrusted: readonly Diagnostic[];
  readonly network: NetworkChoice;
  readonly vendor: string;
  /** The variables for `from_env` of manifests: of the environment, and of the files that the stack names. Credentials never come from here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `{var: NAME}` stands for in the manifests. */
  readonly variables: Variables;
  /** Finds the stacks whose outputs the manifests take, from the directory of this one. */
  readonly findStack: FindStack;
  /** What this run uses as credentials, where it is set: no manifest may read it. */
  readonly credentials: OwnCredentials;
}

/** Finds the stack a command is about and reads its `sluice.yaml`. */
export async function readStackConfig(context: StackContext): Promise<StackConfig> {
  const { io } = context;
  const from = resolve(io.cwd, context.dir ?? '.');
  const path = stackFileAtHand(context);
  if (path === undefined)
    throw new UsageError(
      `there is no ${stackFileName} in ${from} or its parent directories`,
      selectStack(context.isLibrary),
    );
  const head = checkedOut(dirname(path));
  const { file, diagnostics } = readStackFile(path);
  if (file === undefined || hasErrors(diagnostics)) throw new InvalidInput(diagnostics);
  await context.report(diagnostics);
  const { dir, settings, placeOf } = file;
  const operator = readOperatorPolicy(context, dir);
  const untrusted = untrustedSettings({ ...file, operator }, context);
  const refused = [...untrusted.files, ...unsafeLease(file)];
  if (refused.length > 0) throw new InvalidInput(refused);
  const access = [declaredRules(settings.access, 'repository', placeOf), operator?.access].filter(
    (rules) => rules !== undefined,
  );
  const credentials = credentialsOf(settings, context);
  const baseUrl = baseUrlIn(settings, io);
  return {
    ...file,
    head,
    operator,
    untrusted: untrusted.requests,
    stack: { ...settings.stack, profile: settings.api.profile, marker: settings.marker },
    policy: {
      maxDeletes: deletionLimitOf(settings.policy.max_deletes),
      block: settings.policy.block,
      ...present({ public: settings.access.public, operator: operator?.limits }),
      ...(access.length === 0 ? {} : { access }),
    },
    baseUrl,
    network: networkChoice(context, settings.api, dir),
    vendor: setting(io.env['SLUICE_VENDOR']) ?? settings.api.vendor,
    env: withEnvFiles(io.env, settings.secrets.env_files, dir),
    variables: stackVariables(file, context, credentials),
    findStack: otherStacks({ dir, settings, baseUrl }),
    credentials,
  };
}

function credentialsOf(
  { api, state, watch }: StackFile['settings'],
  { io, fleet }: Pick<StackContext, 'io' | 'fleet'>,
): OwnCredentials {
  const texts = (names: readonly string[]): readonly string[] =>
    names.map((name) => latestCredential(name, io)).filter((text) => text !== undefined);
  const stateUrl = state.postgres === undefined ? [] : [state.postgres.url.from_env];
  // Another stack of the fleet, or the replicas, may have a bucket.
  const hasBucket = state.s3 !== undefined || fleet !== undefined;
  const bucketKeys = hasBucket ? ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] : [];
  const others = watch.notify.flatMap(({ url, secret }) => [url, ...(secret === undefined ? [] : [secret])]);
  return {
    apiKeys: texts(['SLUICE_API_KEY', api.key.from_env]),
    others: texts([...others.map(({ from_env }) => from_env), ...stateUrl, ...bucketKeys, ...platformTokens]),
  };
}

/** The URL of the account: that of the environment, or of the stack file. */
export function baseUrlIn({ api }: Pick<StackSettings, 'api'>, { env }: Pick<StackContext['io'], 'env'>): string {
  return setting(env['SLUICE_BASE_URL']) ?? api.base_url;
}

/** An empty variable is one that is not set. */
function setting(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The environment with what files of `NAME=value` lines add to it; what is set already wins. */
function withEnvFiles(env: Env, files: readonly string[], dir: string): Env {
  const added = files.flatMap((file) => [...readEnvFile(resolve(dir, file), file)]);
  return { ...Object.fromEntries(added), ...env };
}

function* readEnvFile(path: string, name: string): Generator<[string, string]> {
  const read = readSafely(path);
  if ('code' in read) throw new UsageError(`secrets.env_files: ${name} ${read.message}`);
  for (const [index, line] of read.text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, variable, double, single, plain] = /^([A-Za-z_]\w*)=(?:"([^"]*)"|'([^']*)'|(.*))$/.exec(line.trim()) ?? [];
    // The line itself may contain a secret, so the message gives its number.
    if (variable === undefined) throw new UsageError(`secrets.env_files: ${name}:${index + 1} is not NAME=value`);
    yield [variable, double ?? single ?? plain ?? ''];
  }
}

/** The variables of a pipeline that may hold a token for the API of its platform. No manifest may read what they hold. */
const platformTokens: readonly string[] = [
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITLAB_TOKEN',
  'CI_JOB_TOKEN',
  'GITEA_TOKEN',
  'FORGEJO_TOKEN',
];
