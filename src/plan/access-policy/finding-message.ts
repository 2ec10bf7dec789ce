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
