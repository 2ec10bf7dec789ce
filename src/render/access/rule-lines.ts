import { safeText } from '../../diagnostics/safe-text.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
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
  const findings = verdicts.flatMap((one): RuleLine[] => {
    const lines = one.findings.map((finding) => ({ verdict: finding.verdict, text: lineOf(one, finding) }));
    if (one.omitted === 0) return lines;
    return [...lines, { verdict: one.verdict, text: `${ruleName(one)}: ${one.omitted} more findings not shown` }];
  });
  const holding = verdicts.filter(({ verdict }) => verdict === 'holds');
  const restored = holding.filter(({ now }) => now === 'broken');
  const kept = holding.filter(({ now }) => now !== 'broken');
  const texts = [
    ...restored.map((one) => `${ruleName(one)} is broken now, and holds after this plan`),
    ...kept.map((one) => safeText(`${ruleName(one)} holds${exceptFor(one)}`, 1000)),
  ];
  return [
    ...findings.filter(({ verdict }) => verdict === 'broken'),
    ...findings.filter(({ verdict }) => verdict !== 'broken'),
    ...texts.map((text): RuleLine => ({ verdict: 'holds', text })),
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
