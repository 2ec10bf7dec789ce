import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { StackFile } from '../manifest/stack-file.ts';
import { isPipeline } from './ci.ts';
import type { Io } from './io.ts';
import { operatorSettings, type OperatorSetting } from './operator-settings.ts';

/**
 * What a stack file says although only the operator may. A value counts if it is harmless, or the environment confirms
 * it, or the environment says nothing and a person runs this: neither a pipeline nor a watch that began with another.
 */
export function untrustedSettings(
  { settings, placeOf }: Pick<StackFile, 'settings' | 'placeOf'>,
  env: Io['env'],
  began: StackFile['settings'] = settings,
  rows: readonly OperatorSetting[] = operatorSettings,
): readonly Diagnostic[] {
  return rows.flatMap((row) => {
    const said = env[row.variable] ?? '';
    const atStart = row.written(began).map(({ value }) => value);
    return row.written(settings).flatMap(({ path, value }): Diagnostic[] => {
      if (row.isHarmless(value) || (said !== '' && row.isConfirmed(value, said))) return [];
      if (said === '' && !isPipeline(env) && atStart.includes(value)) return [];
      const why = said !== '' ? 'differs' : isPipeline(env) ? 'unconfirmed' : 'changed';
      return [
        {
          code: 'ORIGIN_NOT_TRUSTED',
          severity: 'error',
          ...complaints[why](row, row.shown(value)),
          place: placeOf(path),
        },
      ];
    });
  });
}

type Complaint = (row: OperatorSetting, value: string) => { readonly message: string; readonly hint: string };

const complaints: Readonly<Record<'differs' | 'unconfirmed' | 'changed', Complaint>> = {
  differs: ({ name, variable }, value) => ({
    message: `${name} (${value}) does not match ${variable}`,
    hint: `make ${variable} and ${name} agree, or remove ${name} from sluice.yaml`,
  }),
  unconfirmed: ({ name, variable, decides }, value) => ({
    message: `${name} (${value}) is not confirmed by the environment`,
    hint: `in a pipeline, sluice.yaml does not decide ${decides}: set ${variable} in the settings of the pipeline`,
  }),
  changed: ({ name, variable }, value) => ({
    message: `${name} changed to ${value} while sluice watch is running`,
    hint: `restart sluice watch to accept the change, or set ${variable}`,
  }),
};
