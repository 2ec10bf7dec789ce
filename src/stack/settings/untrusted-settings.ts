import type { StackContext } from '../stack-context.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { manifestPaths, operatorSettings, type OperatorSetting } from './operator-settings.ts';
import { isPipeline } from './pipeline-run-url.ts';
import type { StackConfig } from './stack-config.ts';

type WithSettings = Pick<StackConfig, 'settings' | 'dir' | 'placeOf' | 'operator'>;
type Circumstances = Pick<StackContext, 'flags' | 'isUnattended' | 'fleet'> & {
  readonly io: Pick<StackContext['io'], 'env'>;
};
type Refuses = OperatorSetting['refuses'];

/**
 * Settings in a stack file that the operator has not allowed, by what is refused because of them. A value is accepted if
 * it is harmless, or the operator's file or the environment allows it, or a flag replaces it, or the environment does not
 * set it and this is neither a pipeline nor a watch.
 */
export function untrustedSettings(
  file: WithSettings,
  context: Circumstances,
): Readonly<Record<Refuses, readonly Diagnostic[]>> {
  const of = (refuses: Refuses): readonly Diagnostic[] =>
    untrusted(
      operatorSettings.filter((row) => row.refuses === refuses),
      file,
      context,
    );
  return { requests: of('requests'), files: of('files') };
}

/** Whether a stack file names manifests that the operator has not allowed: then none of them is read. */
export function namesUntrustedManifests(file: Omit<WithSettings, 'operator'>, context: Circumstances): boolean {
  return untrusted([manifestPaths], { ...file, operator: undefined }, context).length > 0;
}

function untrusted(
  rows: readonly OperatorSetting[],
  { settings, dir, placeOf, operator }: WithSettings,
  { io: { env }, flags, isUnattended = false, fleet }: Circumstances,
): readonly Diagnostic[] {
  const trusted = operator?.trustedOrigins;
  const found = (row: OperatorSetting): Diagnostic[] =>
    row.written(settings).flatMap(({ path, value }): Diagnostic[] => {
      const target = row.target(value, dir);
      const isDecided = row.flag !== undefined && flags[row.flag] !== undefined;
      const complaint =
        fleet !== undefined && row.name === 'api.base_url' && isOtherOrigin(target, env[row.variable], trusted)
          ? 'otherOrigin'
          : isDecided || row.isHarmless(target, dir)
            ? undefined
            : complaintAbout(row, target, env, isUnattended, trusted);
      if (complaint === undefined) return [];
      const problem = complaints[complaint](row, safeText(target, 200));
      return [{ code: 'ORIGIN_NOT_TRUSTED', severity: 'error', ...problem, place: placeOf(path) }];
    });
  return rows.flatMap(found);
}

function complaintAbout(
  row: OperatorSetting,
  target: string,
  env: StackContext['io']['env'],
  isUnattended: boolean,
  trusted: readonly string[] | undefined,
): keyof typeof complaints | undefined {
  const variable = env[row.variable] ?? '';
  if (row.isAddress === true && trusted !== undefined) {
    if (URL.canParse(target) && trusted.includes(new URL(target).origin)) return undefined;
    if (variable === '') return 'unlisted';
  }
  if (variable !== '') return row.isConfirmed(target, variable) ? undefined : 'differs';
  if (isPipeline(env)) return 'unconfirmed';
  return isUnattended ? 'followed' : undefined;
}

/**
 * The stacks of a fleet share the credentials of its process, so all of them are sent to one origin: that of the variable,
 * or the only one that the operator trusts. Without either, there are only services on this machine.
 */
function isOtherOrigin(target: string, variable: string | undefined, trusted: readonly string[] | undefined): boolean {
  if ((variable ?? '') !== '' || trusted === undefined || target === 'embedded') return false;
  return trusted.length !== 1 || !URL.canParse(target) || new URL(target).origin !== trusted[0];
}

type Complaint = (row: OperatorSetting, target: string) => { readonly message: string; readonly hint: string };

const complaints = {
  differs: ({ name, variable }, target) => ({
    message: `${name} (${target}) does not match ${variable}`,
    hint: `make ${variable} and ${name} agree, or remove ${name} from sluice.yaml`,
  }),
  unconfirmed: ({ name, variable, decides, ...row }, target) => ({
    message: `${name} (${target}) in sluice.yaml must also be allowed by the operator`,
    hint: `in a pipeline, sluice.yaml alone cannot decide ${decides}: to allow the value, set ${variable} in the settings of the pipeline${furtherStep(row)}`,
  }),
  unlisted: ({ name, variable }, target) => ({
    message: `${name} (${target}) is not among the trusted origins of the operator`,
    hint: `add its origin to \`trusted_origins\` of the operator policy, or set ${variable}`,
  }),
  otherOrigin: ({ name, variable }, target) => ({
    message: `${name} (${target}) differs from the origin that the fleet uses`,
    hint: `set ${variable}, or list exactly one origin under \`trusted_origins\` of the operator policy; use a separate fleet for stacks with another origin`,
  }),
  followed: ({ name, variable, decides, ...row }, target) => ({
    message: `${name} (${target}) in sluice.yaml must also be allowed by the operator`,
    hint: `sluice watch follows commits, so sluice.yaml alone cannot decide ${decides}: to allow the value, set ${variable} in the environment of sluice watch${furtherStep(row)}`,
  }),
} satisfies Record<string, Complaint>;

function furtherStep({ isAddress, besides = '' }: Pick<OperatorSetting, 'isAddress' | 'besides'>): string {
  return isAddress === true ? ', or add its origin to `trusted_origins` of the operator policy' : besides;
}
