import type { StackContext } from '../stack-context.ts';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { InvalidInput, Stale } from '../../diagnostics/errors.ts';
import { readSafely } from '../../files/safe-file.ts';
import { valueSource } from '../../manifest/read/value-source.ts';
import { pointerOf } from '../../derive/pointer.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { OutsideValue, Secret, type Path } from '../../kinds/value.ts';
import { kinds } from '../../kinds/index.ts';
import type { FieldFormat } from '../../kinds/kind.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import { fieldAt } from '../../derive/field-at.ts';
import type { DesiredStack } from '../../model/resource.ts';
import {
  readSavedPlan,
  writeSavedPlan,
  type PlanBinding,
  type SavedPlan,
  type SavedRun,
  type ToSave,
} from '../../plan/saved/saved-plan.ts';
import type { Checkout } from '../git/git-head.ts';
import { createDigester } from '../../state/digest.ts';
import { writeOutput } from '../../files/write-output.ts';
import { UsageError, writeOutputFile } from '../usage-error.ts';
import type { StackConfig } from '../settings/stack-config.ts';

const largest = 64 * 1024 * 1024;

/** Saves a plan for an apply to come; answers the digest to approve it by, and whether there is a file to apply. Only the owner can read the file. */
export async function savePlanFile(
  context: StackContext,
  workspace: StackConfig,
  name: string,
  toSave: Pick<ToSave, 'plan' | 'verified' | 'parts' | 'desired' | 'run'>,
): Promise<{ readonly digest: string; readonly written: 'file' | 'stream' }> {
  const salt = randomBytes(16).toString('base64url');
  const { text, digest } = writeSavedPlan({
    ...toSave,
    bound: boundTo(context, workspace),
    savedAt: new Date().toISOString(),
    salt,
    secretDigest: createDigester(salt),
  });
  const written = await writeOutputFile(name, () => writeOutput(resolve(context.io.cwd, name), text));
  return { digest, written };
}

/** Reads a saved plan. */
export function readPlanFile(context: StackContext, name: string): SavedPlan {
  const read = readSafely(resolve(context.io.cwd, name), largest);
  if (!('text' in read)) throw new UsageError(`${name} ${read.message}`, 'use a file written by `sluice plan --out`');
  return readSavedPlan(read.text, name, createDigester);
}

/** Refuses a plan that was made for another stack or service, by another version, or that is not the one with this digest. */
export function requireMatchingPlan(
  context: StackContext,
  workspace: StackConfig,
  saved: SavedPlan,
  digest: string | undefined,
): void {
  const here = boundTo(context, workspace);
  const differs = (['stack', 'baseUrl', 'version'] as const).find((part) => saved.bound[part] !== here[part]);
  if (differs !== undefined)
    throw new UsageError(
      boundTexts[differs](saved.bound[differs], here[differs]),
      'run `sluice plan --out FILE` in this checkout, then apply the new file',
    );
  if (digest !== undefined && digest !== saved.digest)
    throw new Stale(
      'PLAN_IS_STALE',
      `the plan has the digest ${saved.digest}, not the approved ${digest}`,
      'apply the plan that was approved',
      [],
    );
}

const boundTexts: Readonly<Record<keyof PlanBinding, (planned: string, here: string) => string>> = {
  stack: (planned, here) => `the plan was made for the stack ${planned}, but this is the stack ${here}`,
  baseUrl: (planned, here) =>
    `the plan was made for the service at ${planned}, but this stack uses the service at ${here}`,
  version: (planned, here) => `the plan was made by sluice ${planned}, but this is sluice ${here}`,
};

/** The manifests of a saved plan, their secrets had again from where they came from. Throws for all that cannot be had. */
export function desiredIn({ desired }: SavedPlan, { dir, env, credentials, settings }: StackConfig): DesiredStack {
  const { secrets, state } = settings;
  const findValue = valueSource({ dir, env, credentials, roots: secrets.dirs, statePath: state.path });
  const problems: Diagnostic[] = [];
  const found = desired(({ address, path, origin, isOutside }) => {
    const at = `the secret at ${pointerOf(path)}`;
    if (origin === undefined) {
      problems.push(notSaved(address, at));
      return new Secret('');
    }
    const { text, complaint } = findValue(origin, undefined, formatAt(address, path));
    if (text === undefined)
      problems.push({
        code: complaint?.code ?? 'FILE_NOT_FOUND',
        severity: 'error',
        address,
        message: `${at} is unavailable: ${complaint?.message ?? 'its source cannot be read'}`,
      });
    return isOutside ? new OutsideValue(text ?? '', origin) : new Secret(text ?? '', origin);
  });
  if (problems.length > 0) throw new InvalidInput(problems);
  return found;
}

/** The format of a field, which decides whether the last line break of a file belongs to its value. */
function formatAt(address: Address, path: Path): FieldFormat | undefined {
  const field = fieldAt(kinds.named(splitAddress(address).kind)?.fields ?? {}, path);
  return field?.is === 'leaf' ? field.format : undefined;
}

/** The commit whose manifests a saved plan has, as it was when the plan was made. */
export function checkoutIn({ commit, uncommitted }: SavedPlan['run']): Checkout | undefined {
  return commit === undefined ? undefined : { commit, uncommitted: () => Promise.resolve(uncommitted) };
}

/** The checkout in a plan file. */
export async function savedCheckout(checkout: Checkout): Promise<Pick<SavedRun, 'commit' | 'uncommitted'>> {
  return { commit: checkout.commit, ...present({ uncommitted: await checkout.uncommitted() }) };
}

/** Secrets written in manifests, whose saved plan therefore cannot be applied. */
export function secretsWrittenOut({ resources }: DesiredStack): Diagnostic[] {
  return resources.flatMap(({ address, spec, places }) =>
    leavesOf(spec)
      .filter(({ value }) => value instanceof Secret && value.origin === undefined)
      .map(({ path }): Diagnostic => ({
        ...notSaved(address, `the secret at ${pointerOf(path)}`),
        severity: 'warning',
        place: places.of(path),
      })),
  );
}

function notSaved(address: Address, at: string): Diagnostic {
  return {
    code: 'SECRET_NOT_IN_PLAN_FILE',
    severity: 'error',
    address,
    message: `${at} is written in the manifest itself, so the plan file does not contain it`,
    hint: 'read the secret from the environment or a file: {from_env: NAME} or {from_file: path}',
  };
}

function boundTo({ version }: StackContext, { stack, baseUrl }: StackConfig): PlanBinding {
  return { stack: `${stack.name}/${stack.id}`, baseUrl, version };
}
