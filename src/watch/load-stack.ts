import type { StackContext } from '../stack/stack-context.ts';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { hasErrors, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import type { KeptDocuments } from '../manifest/read/kept-documents.ts';
import type { DesiredStack } from '../model/resource.ts';
import type { ListTerms } from '../refresh/shared-lists.ts';
import type { Backend } from '../state/backend.ts';
import type { Lock } from '../state/lock.ts';
import type { RefreshedStack, LoadedStack } from './ports.ts';
import type { Checkout } from '../stack/git/git-head.ts';
import type { SyncSettings } from './decide/sync-policy.ts';
import { applyInWorkspace } from '../stack/plan/apply-in-workspace.ts';
import type { SourceReader } from './source/watch-source.ts';
import { readStack, type StackReading } from '../stack/plan/stack-reading.ts';
import { mustBeCommitted, mustFollowApplied, olderThanApplied } from '../stack/plan/older-than-applied.ts';
import { credentialFile } from '../stack/settings/credential.ts';
import { milliseconds } from '../stack/settings/lease-settings.ts';
import { readStackConfig, type StackConfig } from '../stack/settings/stack-config.ts';
import { planWatched } from './plan-watched.ts';
import type { StackMetrics } from './status/metrics.ts';
import { shortestRefreshMs } from './timing/refresh-interval.ts';
import { changedSettings, type SettingsAtStart } from './restart-settings.ts';
import { untrustedSettings } from '../stack/settings/untrusted-settings.ts';
import { openWorkspace } from '../stack/workspace.ts';
import { wholePlanText } from './shown-by-watch.ts';

/** Options of loading a watched stack, beside its files. */
export interface LoadStackOptions {
  readonly parallelism: number;
  /** The settings at the start, which cannot change while it runs. */
  readonly atStart: SettingsAtStart;
  /** The manifests as they were read last. */
  readonly documents: KeptDocuments;
  /** What the last load has read, if no file has changed since. */
  readonly known?: LoadedManifests;
  /** The lock, while this process is the leader. */
  readonly lock: () => Lock | undefined;
  /** What the stack remembers, as it was opened at the start. */
  readonly backend: Backend;
  readonly metrics: Pick<StackMetrics, 'onRequest' | 'onRetry'>;
}

/** The manifests of a stack as a load has read them, and what beside them decided the outcome. */
export interface LoadedManifests extends Pick<StackReading, 'desired' | 'checkout'>, Pick<StackConfig, 'credentials'> {
  readonly files: readonly string[];
}

/** Reads a stack for watching: errors in manifests are among its diagnostics, only errors in sluice.yaml are thrown. */
export async function loadStack(
  context: StackContext,
  dir: string,
  options: LoadStackOptions,
): Promise<SourceReader<LoadedStack> & { readonly manifests?: LoadedManifests }> {
  const quiet: StackContext = { ...context, dir, report: () => Promise.resolve() };
  const open = await readStackConfig(quiet);
  const { settings } = open;
  const untrusted = untrustedSettings(open, context);
  const changed = changedSettings(open, context, options.atStart);
  const refused = [...untrusted.requests, ...untrusted.files, ...changed];
  if (refused.length > 0) throw new InvalidInput(refused);
  const { known } = options;
  // Credentials may be in files that are not watched; values are compared with them.
  const isKnown = known !== undefined && isDeepStrictEqual(known.credentials, open.credentials);
  const manifests = isKnown ? known : await loadManifestsOf(quiet, open, options.documents);
  const { desired, checkout } = manifests;
  const { watch } = settings;
  const value: LoadedStack = {
    desired,
    syncSettings: syncSettingsOf(open),
    intervalMs: milliseconds(watch.interval),
    backoff: { first: 5_000, most: milliseconds(watch.max_retry_delay) },
    ...(checkout === undefined ? {} : { uncommitted: checkout.uncommitted }),
    refresh: (active, signal, mayReuse) => {
      // No list is used for two scheduled refreshes of a stack.
      const terms = { validMs: shortestRefreshMs(milliseconds(watch.interval)), mayReuse, signal };
      return refresh({ ...quiet, io: { ...quiet.io, signal } }, open, active, { ...options, terms, checkout });
    },
  };
  const files = [...new Set([...filesBeside(open, context), ...manifests.files])];
  return { value, files, ...(followsFromFiles(desired) ? { manifests } : {}) };
}

async function loadManifestsOf(
  context: StackContext,
  open: StackConfig,
  documents: KeptDocuments,
): Promise<LoadedManifests> {
  const files = new Set<string>();
  const { desired, checkout } = await readStack(context, open, {
    inputs: open.settings.manifests,
    missingValues: 'error',
    whole: true,
    parse: documents.nextReading(),
    onFile: (path) => void files.add(path),
  });
  // A run that ends names only causes; a watch goes on, and says what it holds back.
  const diagnostics = sortDiagnostics([...desired.diagnostics, ...(desired.consequences ?? [])]);
  const { credentials } = open;
  return { desired: { ...desired, diagnostics }, checkout, credentials, files: [...files] };
}

/** Whether the same files always come to this: the files of another stack, whose outputs are taken, are not watched. */
function followsFromFiles({ resources, diagnostics }: DesiredStack): boolean {
  const takesOutput = resources.some(({ references = [] }) => references.some(({ ref }) => ref.output !== undefined));
  return !takesOutput && !hasErrors(diagnostics);
}

/** Other files that decide the outcome: variables, the key, trusted authorities, and the operator's policy. */
function filesBeside({ dir, settings, network, operator }: StackConfig, { io }: StackContext): string[] {
  const keyFiles = ['SLUICE_API_KEY', settings.api.key.from_env].map((name) => credentialFile(name, io));
  return [
    ...settings.secrets.env_files.map((file) => resolve(dir, file)),
    ...(network.caFile === undefined ? [] : [network.caFile.text]),
    ...(operator === undefined ? [] : [operator.file]),
    ...keyFiles.filter((file) => file !== undefined),
  ];
}

function syncSettingsOf({ settings: { watch }, operator }: StackConfig): SyncSettings {
  return {
    applyOnChange: watch.apply_on_change,
    healDrift: watch.heal_drift,
    prune: operator?.prune === false ? 'forbidden' : watch.prune,
    renew: watch.renew,
    kinds: watch.kinds,
  };
}

async function refresh(
  context: StackContext,
  open: StackConfig,
  desired: DesiredStack,
  options: LoadStackOptions & { readonly terms: ListTerms; readonly checkout: Checkout | undefined },
): Promise<RefreshedStack> {
  const { parallelism, backend, metrics, terms, checkout } = options;
  const opened = { backend, lock: options.lock() };
  const workspace = await openWorkspace(context, { parallelism, command: 'watch', writes: false, open, opened });
  try {
    if (context.fleet?.isDivided === true) await mustFollowApplied(context, workspace, checkout?.commit);
    workspace.listen({ onRequest: metrics.onRequest, onRetry: ({ ms }) => metrics.onRetry(ms) });
    const planned = await planWatched(context, workspace, { desired, commit: checkout?.commit }, terms);
    return {
      ...planned,
      apply: async ({ plan: applicable, isPart, approvals, digest }, signal, onEvent) => {
        if (context.fleet?.isDivided === true) await mustBeCommitted(checkout);
        const older = await olderThanApplied(context, workspace, checkout?.commit);
        if (older !== undefined) context.log('warn', older.message);
        return applyInWorkspace(
          { ...context, io: { ...context.io, signal } },
          workspace,
          {
            plan: applicable,
            input: planned.input,
            isPart,
            approvals,
            ...(digest === undefined ? {} : { digest }),
            isRepeated: true,
            ...(checkout === undefined ? {} : { checkout }),
          },
          onEvent,
          () => wholePlanText(applicable),
        );
      },
      close: workspace.close,
    };
  } catch (error) {
    await workspace.close().catch(() => undefined);
    throw error;
  }
}
