import { counted } from '../../diagnostics/counted.ts';
import { kinds } from '../../kinds/index.ts';
import { isUnallowedBreach, type RuleVerdict } from '../../model/exposure/access-rules.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { rulesOfManifests } from '../../plan/access-policy/manifest-rules.ts';
import { ruleDiagnostics } from '../../plan/access-policy/finding-message.ts';
import { ruleJson } from '../../render/access/rule-json.ts';
import { diagnosticJson } from '../../render/diagnostics/diagnostic-json.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired, requireDescribed, type StackFlags } from '../../stack/plan/load-desired.ts';
import { readStackConfig } from '../../stack/settings/stack-config.ts';
import { outputTarget } from '../ci.ts';
import { annotateLines, annotated } from '../output/plan-reports.ts';

/** What to check, and where to report problems. */
export interface ValidateFlags extends StackFlags {
  readonly githubAnnotations?: boolean;
}

/** Checks the manifests of a stack without contacting the service. */
export async function validate(context: Context, flags: ValidateFlags): Promise<number> {
  const open = await readStackConfig(context);
  const wanted = await annotated(context, flags, open.dir, () => loadDesired(context, open, flags, 'warning'));
  requireDescribed(context, wanted.described, wanted.removedTargets);
  const { desired } = wanted;
  const { access = [] } = open.policy;
  const rules = rulesOfManifests(desired, { access, kinds, now: (context.io.now ?? Date.now)() });
  const found = ruleDiagnostics(rules);
  await context.report(found);
  const { resources } = desired;
  const diagnostics = [...desired.diagnostics, ...found];
  const isBroken = rules.some(isUnallowedBreach);
  await annotateLines(context, flags, open.dir, diagnostics);
  context.result(
    () => summaryText({ ...desired, diagnostics }, rules),
    () => ({
      format_version: '1.0',
      valid: !isBroken,
      resources: resources.map(({ address }) => address),
      ...(rules.length === 0 ? {} : { access_rules: rules.map(ruleJson) }),
      diagnostics: diagnostics.map(diagnosticJson),
    }),
    (format) => format.validation?.(diagnostics, outputTarget(context, {}, open.dir)),
  );
  return isBroken ? exitCodes.refused : exitCodes.done;
}

function summaryText({ resources, diagnostics }: DesiredStack, rules: readonly RuleVerdict[]): string {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  const valid = counted(resources.length, 'resource is valid', 'resources are valid');
  const verdicts = ['broken', 'unproven', 'holds'] as const;
  const counts = verdicts.flatMap((verdict) => {
    const count = rules.filter((rule) => rule.verdict === verdict).length;
    return count === 0 ? [] : [`${String(count)} ${verdict === 'holds' ? 'proved' : verdict}`];
  });
  const ruled = counts.length === 0 ? '' : `; access rules: ${counts.join(', ')}`;
  return `${valid}${warnings === 0 ? '' : `; ${counted(warnings, 'warning')}`}${ruled}.\n`;
}
