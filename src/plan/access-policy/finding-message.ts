import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Requirement, RuleFinding, RuleVerdict } from '../../model/exposure/access-rules.ts';
import { publicRule } from './checked-rule.ts';

const inWords: Readonly<Record<Requirement, string>> = {
  authentication: 'authentication',
  named_users: 'authentication of named users',
  client_certificate: 'a client certificate',
  signature: 'a signature',
  network: 'an IP restriction',
};

/** What breaks a rule, or keeps it from being proved, in one sentence. */
export function findingMessage(verdict: Pick<RuleVerdict, 'rule' | 'source'>, finding: RuleFinding): string {
  const { address, request, missing, fact } = finding;
  const name = ruleName(verdict);
  const required = missing.map((one) => inWords[one]).join(' and ');
  if (finding.verdict === 'unproven') {
    const which = request === undefined ? '' : ` for ${request}`;
    return `${name} is not proven${which}: ${fact ?? 'the reason is unknown'} (${address})`;
  }
  const subject = request ?? address;
  const breach =
    verdict.rule === publicRule
      ? `${subject} is public, but \`access.public\` does not list it`
      : `${subject} reaches ${address} without ${required}`;
  return finding.temporary === true
    ? `${name} is temporarily broken during the apply: ${breach}; the API allows no other order of changes`
    : `${name} is broken: ${breach}`;
}

/** A rule in words, with who set it where that is not the repository. */
export function ruleName({ rule, source }: Pick<RuleVerdict, 'rule' | 'source'>): string {
  const name = rule === publicRule ? 'access.public' : `access rule ${rule}`;
  return source === 'operator' ? `${name} (set by the operator policy)` : name;
}

/** Broken rules as errors, unproven ones as notes, or as errors where they are strict. */
export function ruleDiagnostics(verdicts: readonly RuleVerdict[]): Diagnostic[] {
  return verdicts.flatMap((verdict): Diagnostic[] => [
    ...verdict.findings.map((finding): Diagnostic => {
      const isBroken = finding.verdict === 'broken';
      const isStrict = verdict.isBreach && verdict.verdict === 'unproven';
      return {
        code: isBroken ? 'ACCESS_RULE_BROKEN' : 'ACCESS_RULE_NOT_PROVEN',
        severity: isBroken || isStrict ? 'error' : 'note',
        message: findingMessage(verdict, finding),
        address: finding.address,
        ...(finding.place === undefined ? {} : { place: finding.place }),
      };
    }),
    ...exceptionDiagnostics([verdict]),
  ]);
}

/** Exceptions that end soon or have ended, as warnings. */
export function exceptionDiagnostics(verdicts: readonly RuleVerdict[]): Diagnostic[] {
  return verdicts.flatMap((verdict) =>
    verdict.exceptions
      .filter(({ ends }) => ends !== 'later')
      .map(({ url, until, ends }): Diagnostic => ({
        code: 'ACCESS_EXCEPTION_ENDS',
        severity: 'warning',
        message: `the exception to ${ruleName(verdict)} for ${url} ${ends === 'past' ? 'ended' : 'ends'} on ${until}`,
        hint: `${ends === 'past' ? 'remove the exception' : 'protect the URL before this date'}, or set a later date`,
      })),
  );
}
