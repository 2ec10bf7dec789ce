/*
 * What the operator of a stack requires, in a file outside its repository. Whoever can commit to the repository cannot
 * loosen it: its rules and limits are checked beside those of `sluice.yaml`, exceptions of `sluice.yaml` do not apply to
 * them, and no flag or approval allows what they forbid. A file that is named but cannot be read ends every command of the stack.
 */
import { resolve } from 'node:path';
import { sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { Problems } from '../../manifest/check/problems.ts';
import { checkSettings } from '../../manifest/settings/check-settings.ts';
import { onlyDocument, settingsVisibility } from '../../manifest/settings/settings-document.ts';
import { declaredRules, checkAccess } from '../../manifest/stack-file/declared-rules.ts';
import { operatorPolicySchema } from '../../manifest/stack-file/operator-policy-schema.ts';
import type { AccessRules } from '../../model/exposure/access-rules.ts';
import type { PlanDetail } from '../../model/plan/plan-detail.ts';
import type { Policy, DeletionLimit } from '../../model/stack.ts';
import { present } from '../../model/present.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';

/** The variable that names the file; the flag is `--operator-policy`. */
const variable = 'SLUICE_OPERATOR_POLICY';

/** What the operator requires. */
export interface OperatorPolicy {
  /** The absolute path of its file. */
  readonly file: string;
  /** Hazards and deletions that nobody can allow. */
  readonly limits: NonNullable<Policy['operator']>;
  readonly access?: AccessRules;
  /** False: a watch deletes nothing that is missing in the manifests. */
  readonly prune: boolean;
  /** The most that a comment shows of a plan. */
  readonly commentDetail?: PlanDetail;
  /** Origins that settings of the stack may name; undefined: not declared. */
  readonly trustedOrigins?: readonly string[];
}

/** The policy of the operator; undefined where no file is named. */
export function readOperatorPolicy({ io, flags }: StackContext): OperatorPolicy | undefined {
  const name = flags.operatorPolicy ?? io.env[variable];
  if (name === undefined) return undefined;
  // What was to name a file and is empty must not switch the policy off.
  if (name === '') {
    const [given, leaveOut] = flags.operatorPolicy === undefined ? [variable, 'unset'] : ['--operator-policy', 'omit'];
    throw new UsageError(
      `${given} is empty`,
      `set ${given} to the path of the operator policy, or ${leaveOut} ${given}`,
    );
  }
  const problems = new Problems(settingsVisibility(operatorPolicySchema));
  const path = resolve(io.cwd, name);
  const document = onlyDocument({ name, path, title: 'the operator policy' }, problems);
  const policy = document && checkSettings(operatorPolicySchema, document, problems);
  if (document !== undefined && policy !== undefined) checkAccess(policy.access, document.origin, problems);
  const wrong = sortDiagnostics(problems.all());
  if (wrong.length > 0 || document === undefined || policy === undefined) throw new InvalidInput(wrong);
  const { block, prune, comment, max_deletes: most, trusted_origins: origins } = policy;
  const { origin } = document;
  const access = declaredRules(policy.access, 'operator', (at) => problems.placeOf(origin, at));
  return {
    file: path,
    limits: { block, ...(most === undefined ? {} : { maxDeletes: deletionLimitOf(most) }) },
    prune,
    ...present({
      access,
      commentDetail: comment?.detail,
      trustedOrigins: origins?.map((one) => one.toLowerCase()),
    }),
  };
}

/** A limit of deletions as written: a number, or a percentage such as 25%. */
export function deletionLimitOf(written: number | string): DeletionLimit {
  return typeof written === 'number' ? { count: written } : { percent: Number(written.replace('%', '')) };
}
