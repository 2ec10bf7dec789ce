import type { StackContext } from '../stack/stack-context.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { StackFile } from '../manifest/stack-file/stack-file.ts';
import type { StackSettings } from '../manifest/stack-file/stack-schema.ts';
import { operatorSettings } from '../stack/settings/operator-settings.ts';

/** Settings that `sluice watch` reads once, when it starts: with those of another state, it would write without the lock of that state. */
export const restartSettings = [
  'stack',
  'state.path',
  'state.postgres',
  'state.s3',
  'state.lease',
  'watch.listen',
  'watch.listen_probes',
  'watch.notify',
  'watch.debounce',
  'watch.scan_interval',
  'watch.poll',
] as const;

/** A setting that needs a restart. */
export type RestartSetting = (typeof restartSettings)[number];

/** The settings at the start of a watch. */
export interface SettingsAtStart {
  readonly settings: StackSettings;
  /** Settings that a flag overrides, so that the file may change them. */
  readonly overridden: ReadonlySet<RestartSetting>;
  /** The addresses that only the operator decides, by the name of the setting. */
  readonly targets: ReadonlyMap<string, string>;
}

/**
 * The addresses in a stack file that only the operator decides, each as one text. Those that a variable or a flag
 * decides are omitted: every commit is compared with the variable. Without one, only addresses of this machine are left.
 */
export function settingTargets(
  { settings, dir }: Pick<StackFile, 'settings' | 'dir'>,
  { io: { env }, flags }: Pick<StackContext, 'io' | 'flags'>,
): ReadonlyMap<string, string> {
  const open = operatorSettings.filter(
    ({ refuses, variable, flag }) =>
      refuses === 'requests' && (env[variable] ?? '') === '' && (flag === undefined || flags[flag] === undefined),
  );
  return new Map(
    open.map(({ name, written, target }) => [
      name,
      JSON.stringify(written(settings).map(({ value }) => target(value, dir))),
    ]),
  );
}

/** Settings that a stack file changes although they need a restart. */
export function changedSettings(
  file: Pick<StackFile, 'settings' | 'dir' | 'placeOf'>,
  context: Pick<StackContext, 'io' | 'flags'>,
  atStart: SettingsAtStart,
): readonly Diagnostic[] {
  const read = restartSettings
    .filter((name) => !atStart.overridden.has(name))
    .filter((name) => JSON.stringify(valueAt(file.settings, name)) !== JSON.stringify(valueAt(atStart.settings, name)));
  const targets = [...settingTargets(file, context)].filter(([name, target]) => atStart.targets.get(name) !== target);
  return [...read, ...targets.map(([name]) => name)].map((name) => ({
    code: 'RESTART_REQUIRED',
    severity: 'error',
    message: `${name} changed while sluice watch is running`,
    hint: 'restart sluice watch to accept the change, or revert the change; until then sluice watch uses the last good version',
    place: file.placeOf(name.split('.')),
  }));
}

function valueAt(settings: StackSettings, name: RestartSetting): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
}
