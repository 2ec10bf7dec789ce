import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { StackFile } from '../manifest/stack-file.ts';
import type { StackSettings } from '../manifest/stack-schema.ts';

/**
 * What `sluice watch` reads once, when it starts: the lock, the pauses and the page belong to the stack and the state of
 * that moment. A turn that used another state would write beside whoever has the lock of that one.
 */
export const restartSettings = [
  'stack',
  'state.path',
  'watch.listen',
  'watch.notify',
  'watch.settle',
  'watch.check',
  'watch.poll',
] as const;

/** One of those. */
export type RestartSetting = (typeof restartSettings)[number];

/** What a stack file changes although only a restart can; settings that a flag overrides may change. */
export function changedSettings(
  { settings, placeOf }: Pick<StackFile, 'settings' | 'placeOf'>,
  began: StackSettings,
  overridden: ReadonlySet<RestartSetting>,
): readonly Diagnostic[] {
  return restartSettings
    .filter((name) => !overridden.has(name))
    .filter((name) => JSON.stringify(valueAt(settings, name)) !== JSON.stringify(valueAt(began, name)))
    .map((name) => ({
      code: 'RESTART_REQUIRED',
      severity: 'error',
      message: `${name} changed while sluice watch is running`,
      hint: 'restart sluice watch to accept the change, or undo it; until then the last good version stays in force',
      place: placeOf(name.split('.')),
    }));
}

function valueAt(settings: StackSettings, name: RestartSetting): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
}
