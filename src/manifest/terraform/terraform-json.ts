import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { jsonProblem } from './json-problem.ts';
import { resourceInstance, type TerraformResource, keyedValues } from './terraform-resource.ts';

/** What is read of one file at most. */
export const terraformFileBytes = 64_000_000;

const mostResources = 50_000;

/** The managed resources in what `terraform show -json` prints of a state or a plan, in the order of the file. Anyone may have written it: everything in it is checked. */
export function terraformResources(text: string, file: string): TerraformResource[] {
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const problem = jsonProblem(whole);
  if (problem !== undefined) throw refused(file, problem.code, problem.message, whole.slice(0, problem.offset));
  const root = keyedValues(JSON.parse(whole));
  const values = keyedValues(root?.['values'] ?? root?.['planned_values']);
  const version = root?.['format_version'];
  if (root === undefined || typeof version !== 'string')
    throw refused(
      file,
      'INVALID_VALUE',
      root?.['version'] === 4
        ? 'the file is a Terraform state, not its JSON representation'
        : 'the file is not the output of terraform show -json',
    );
  if (!/^[01]\./.test(version))
    throw refused(file, 'INVALID_VALUE', `format_version ${quoted(version, 40)} is not supported`);
  const found: TerraformResource[] = [];
  const modules = [values?.['root_module']];
  for (let module = keyedValues(modules.pop()); module !== undefined; module = keyedValues(modules.pop())) {
    found.push(...listIn(module['resources']).flatMap((one) => resourceInstance(keyedValues(one)) ?? []));
    modules.push(...listIn(module['child_modules']).toReversed());
    if (found.length > mostResources)
      throw refused(file, 'TOO_LARGE', `the file has more than ${String(mostResources)} resources`);
  }
  return found;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function refused(file: string, code: Diagnostic['code'], message: string, before = ''): InvalidInput {
  const lines = before.split('\n');
  const place = { file, line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
  return new InvalidInput([
    {
      code,
      severity: 'error',
      message,
      hint: 'pass the output of `terraform show -json` (state or saved plan)',
      place,
    },
  ]);
}
