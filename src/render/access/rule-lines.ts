import { safeText } from '../../diagnostics/safe-text.ts';
import { placeText } from '../../diagnostics/place-text.ts';
import type { RuleFinding, RuleVerdict, ProofResult } from '../../model/exposure/access-rules.ts';
import { findingMessage, ruleName } from '../../plan/access-policy/finding-message.ts';
import { listSome } from '../../plan/warnings/list-some.ts';

/** One line about access rules, and the verdict that it is about. */
export interface RuleLine {
  readonly verdict: ProofResult;
  readonly text: string;
}

/** The verdicts on access rules, the broken ones first, and those that hold in one line. */
export function ruleLines(verdicts: readonly RuleVerdict[]): RuleLine[] {
  const findings = verdicts.flatMap((verdict) => [
    ...verdict.findings.map((finding) => ({ verdict: finding.verdict, text: lineOf(verdict, finding) })),
    ...(verdict.omitted === 0
      ? []
      : [
          {
            verdict: verdict.verdict,
            text: `${ruleName(verdict)}: ${String(verdict.omitted)} more findings not shown`,
          },
        ]),
  ]);
  const holding = verdicts.filter(({ verdict }) => verdict === 'holds');
  return [
    ...findings.filter(({ verdict }) => verdict === 'broken'),
    ...findings.filter(({ verdict }) => verdict !== 'broken'),
    ...holding
      .filter(({ now }) => now === 'broken')
      .map((one) => ({ verdict: one.verdict, text: `${ruleName(one)} is broken now, and holds after this plan` })),
    ...holding
      .filter(({ now }) => now !== 'broken')
      .map((one) => ({ verdict: one.verdict, text: safeText(`${ruleName(one)} holds${exceptFor(one)}`, 1000) })),
  ];
}

function lineOf(verdict: RuleVerdict, finding: RuleFinding): string {
  const { place, causes } = finding;
  const source = place === undefined ? '' : `  ${placeText(place)}`;
  const before = causes.length === 0 && verdict.now !== undefined ? ' (not caused by this plan)' : '';
  const allowed = verdict.isAllowed && finding.verdict === 'broken' ? ` (allowed by --allow rule:${verdict.rule})` : '';
  return safeText(`${findingMessage(verdict, finding)}${before}${allowed}${source}`, 1000);
}

// What the rule does not check at present.
function exceptFor({ exceptions }: RuleVerdict): string {
  const current = exceptions.filter(({ ends }) => ends !== 'past').map(({ url, until }) => `${url} until ${until}`);
  return current.length === 0 ? '' : `, except for ${listSome(current)}`;
}
