/*
 * What the operator of a stack requires, in a file outside its repository. Whoever can commit to the repository cannot
 * loosen it: its rules and limits are checked beside those of `sluice.yaml`, exceptions of `sluice.yaml` do not apply to
 * them, and no flag or approval allows what they forbid. A file that is named but cannot be read ends every command of the stack.
 */
import * as z from 'zod';
import { sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { Problems } from '../../manifest/check/problems.ts';
import { checkSettings } from '../../manifest/settings/check-settings.ts';
import { onlyDocument, settingsVisibility } from '../../manifest/settings/settings-document.ts';
import { accessSchema } from '../../manifest/stack-file/access-schema.ts';
import { declaredRules, checkAccess } from '../../manifest/stack-file/declared-rules.ts';
import { setting } from '../../manifest/stack-file/setting-forms.ts';
import { deletionLimit, hazardList } from '../../manifest/stack-file/stack-schema.ts';
import type { AccessRules } from '../../model/exposure/access-rules.ts';
import { type PlanDetail, planDetails } from '../../model/plan/plan-detail.ts';
import type { Policy, DeletionLimit } from '../../model/stack.ts';
import { present } from '../../model/present.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { operatorPath } from './operator-path.ts';

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

/** The policy of the operator; undefined where no file is named. `dir` is the directory of the stack, if there is one. */
export function readOperatorPolicy(
  context: Pick<StackContext, 'io' | 'flags' | 'isUnattended'>,
  dir?: string,
): OperatorPolicy | undefined {
  const { io, flags } = context;
  const name = flags.operatorPolicy ?? io.env[variable];
  if (name === undefined) return undefined;
  const [given, leaveOut] = flags.operatorPolicy === undefined ? [variable, 'unset'] : ['--operator-policy', 'omit'];
  // What was to name a file and is empty must not switch the policy off.
  if (name === '')
    throw new UsageError(
      `${given} is empty`,
      `set ${given} to the path of the operator policy, or ${leaveOut} ${given}`,
    );
  const problems = new Problems(settingsVisibility(operatorPolicySchema));
  const path = operatorPath({ text: name, from: given }, context, dir);
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

const webOrigin = z
  .string()
  .refine(
    (written) => URL.canParse(written) && new URL(written).origin === written.toLowerCase(),
    'must be a URL of only a scheme and a host (and a port if needed), such as https://api.example.com',
  );

/** The file of the operator: what the repository of a stack cannot loosen. */
export const operatorPolicySchema = z.strictObject({
  version: setting(z.literal(1), 'Version of the format of this file.'),
  access: setting(accessSchema.prefault({}), 'Access rules for every stack that uses this file.'),
  block: setting(
    hazardList.default([]),
    'Codes of hazards (dangerous effects of a change) that always block an apply; no flag and no approval allows them.',
    ['LOSES_ADDRESS'],
  ),
  max_deletes: setting(
    deletionLimit.optional(),
    'The maximum number of resources that one apply may delete. If the stack also sets a limit, the smaller limit applies.',
    10,
    '10%',
  ),
  prune: setting(
    z.boolean().default(true),
    'False: `watch` deletes no resource that is missing in the manifests, even if `watch.prune` is true.',
    false,
  ),
  comment: setting(
    z
      .strictObject({
        detail: setting(
          z.enum(planDetails),
          'The most that a comment of `sluice comment` may show, even if `--detail` asks for more: `full`, `hazards` or `counts`.',
          'hazards',
        ),
      })
      .optional(),
    'Settings of `sluice comment`, which posts plans on pull requests.',
  ),
  trusted_origins: setting(
    z.array(webOrigin).optional(),
    'Origins (scheme and host) to which sluice may send credentials. `api.base_url`, `api.proxy` and `state.s3.endpoint` in `sluice.yaml` must have one of these origins.',
    ['https://api.example.com'],
  ),
});
