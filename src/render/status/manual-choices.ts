import { splitAddress } from '../../model/address.ts';
import type { PendingChange } from '../../model/status/watch-status.ts';
import { sluiceCommand } from './sluice-command.ts';

/** One of the ways to resolve a change that watch does not apply automatically: its purpose, what to do, and commands in order. */
export interface ManualChoice {
  readonly label: string;
  readonly text: string;
  readonly commands: readonly string[];
}

/** Such changes with one cause, where a manifest has the only one, and the directory of their stack. */
export interface ManualGroup {
  readonly cause?: PendingChange['cause'] | undefined;
  readonly changes: readonly Pick<PendingChange, 'address' | 'action' | 'fields'>[];
  readonly source?: string | undefined;
  readonly dir?: string | undefined;
}

// With more, a command is too long to read.
const mostTargets = 5;
const mostFields = 3;

/** Either keep what is in the account, or apply the manifests once. */
export function manualChoices(group: ManualGroup): readonly ManualChoice[] {
  const keep = keepText(group);
  return [
    ...(keep === undefined ? [] : [{ label: 'To keep what is in the account', text: keep, commands: [] }]),
    apply(group),
  ];
}

/** How to write the current account into the manifests; a change that expires cannot stay. */
function keepText({ cause, changes, source }: ManualGroup): string | undefined {
  if (cause === 'renewal') return undefined;
  if (cause === 'removal') return 'restore the manifest of each resource.';
  const [one, ...others] = changes;
  if (one === undefined || others.length > 0) return 'edit the manifests to match the account.';
  const place = source === undefined ? 'the manifest' : `\`${source}\``;
  if (one.action === 'create') return `the resource was deleted in the account: remove the manifest (${place}).`;
  if (one.fields.some(({ hasSecret }) => hasSecret))
    return `give the secret in ${place} the value that the account has; sluice does not print secrets.`;
  const isShort = one.fields.length <= mostFields && one.fields.every(({ actual }) => /^.{1,80}$/.test(actual));
  const fields = one.fields.map(({ pointer, actual }) => `\`${nameOf(pointer)}\` is ${actual}`);
  if (fields.length === 0 || !isShort) return `edit ${place} to match the account.`;
  return `edit ${place} so that ${fields.join(', ')}.`;
}

function apply({ cause, changes, dir }: ManualGroup): ManualChoice {
  const others =
    changes.length > mostTargets ? ' Add one `--target` to the apply command for each remaining resource.' : '';
  const kinds = [...new Set(changes.map(({ address }) => splitAddress(address).kind))];
  return {
    label: applyLabels[cause ?? 'revision'],
    text: `run these commands in this order. The watch holds the lock of the stack, and a pause releases the lock.${others}${alwaysText(cause, kinds)}`,
    commands: [
      ['pause'],
      ['apply', ...changes.slice(0, mostTargets).flatMap(({ address }) => ['--target', address])],
      ['resume'],
    ].map((args) => sluiceCommand(dir, args)),
  };
}

const applyLabels: Readonly<Record<NonNullable<PendingChange['cause']>, string>> = {
  drift: 'To go back to the manifests',
  removal: 'To delete resources that are no longer in the manifests',
  renewal: 'To renew the certificate now',
  revision: 'To apply the manifests',
};

/** The setting with which watch applies such changes automatically. */
function alwaysText(cause: PendingChange['cause'], kinds: readonly string[]): string {
  const always = (setting: string): string =>
    ` To have the watch do this automatically, set ${setting} in sluice.yaml.`;
  if (cause === 'drift') {
    const ofKinds = kinds.map((kind) => `${kind}: heal`).join(', ');
    return always(`\`watch.heal_drift: true\` (or, for these kinds only, \`watch.kinds: {${ofKinds}}\`)`);
  }
  if (cause === 'removal') return always('`watch.prune: true` (if the operator policy allows it)');
  return cause === 'renewal' ? always('`watch.renew: true`') : '';
}

function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
