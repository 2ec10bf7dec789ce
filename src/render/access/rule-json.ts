import type { RuleVerdict } from '../../model/exposure/access-rules.ts';
import { present } from '../../model/present.ts';
import { findingMessage } from '../../plan/access-policy/finding-message.ts';
import { placeJson } from '../diagnostics/diagnostic-json.ts';
import type { RuleJson } from './rule-json-schema.ts';

/** The verdict on a rule for programs. */
export function ruleJson(verdict: RuleVerdict): RuleJson {
  const { rule, source, now, isBreach, isAllowed, findings, exceptions, omitted, causes } = verdict;
  return {
    name: rule,
    set_by: source,
    verdict: verdict.verdict,
    ...(now === undefined ? {} : { verdict_now: now }),
    breach: isBreach,
    allowed: isAllowed,
    causes: [...causes],
    findings: findings.map((finding) =>
      present({
        verdict: finding.verdict,
        temporary: finding.temporary,
        message: findingMessage(verdict, finding),
        route: finding.address,
        request: finding.request,
        missing: [...finding.missing],
        fact: finding.fact,
        causes: [...finding.causes],
        source: finding.place && placeJson(finding.place),
      }),
    ),
    exceptions: exceptions.map(({ url, reason, until, ends }) => ({ url, reason, until, ended: ends === 'past' })),
    omitted_findings: omitted,
  };
}
