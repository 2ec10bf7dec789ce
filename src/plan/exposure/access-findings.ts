import type { Address } from '../../model/address.ts';
import type { RuleSource } from '../../model/exposure/access-rules.ts';
import { compareText } from '../../model/compare-text.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import { listSome } from '../warnings/list-some.ts';
import { instanceName, type Movement } from '../order/plan-node.ts';
import { anyoneInWords, askedInWords, isReachable, type Access } from './access.ts';
import type { AccessDifference } from './control-differences.ts';
import { distinctUrls } from './class-url.ts';
import { accessDigest, askedDigests, hazardEffects, type UrlEffect } from './hazard-effects.ts';
import type { IdNaming } from './id-naming.ts';

/** One finding about one request class. */
export interface AccessFinding {
  readonly code: 'OPENS_ACCESS' | 'EXPOSES_PUBLICLY' | 'PUBLICLY_EXPOSED' | 'RESTRICTS_ACCESS';
  readonly address: Address;
  /** The movement that causes it; none if the account is in this condition already. */
  readonly cause?: Movement;
  readonly url: string;
  readonly how: 'now' | 'again' | 'back' | 'outside' | 'unlisted' | 'stays' | 'ends';
  /** The source whose `access.public` lists the URL, where the other source still blocks what becomes public. */
  readonly listedBy?: RuleSource;
  readonly difference?: AccessDifference;
  readonly before: Access;
  readonly after: Access;
  /** As last applied, if the account differs from that now. */
  readonly lastApplied?: Access;
}

/** The hazards of findings: one for all URLs that a finding concerns. */
export function hazardsOfFindings(findings: readonly AccessFinding[], named: IdNaming): Hazard[] {
  const groups = groupBy(findings, (one) => `${one.code}\n${one.address}\n${one.how}\n${one.listedBy ?? ''}`);
  return [...groups.values()]
    .flatMap((alike) => hazardsOf(alike, named))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.message, b.message));
}

/** The hazards of findings with the same code, address, `how` and `listedBy`: one for each different sentence. */
function hazardsOf(alike: readonly AccessFinding[], named: IdNaming): Hazard[] {
  const [only, second] = alike;
  if (only !== undefined && second === undefined) return [hazardOf(sentenceOf(only, alike, named), alike, named)];
  const by = new Map<string, { readonly sentence: Sentence; readonly findings: AccessFinding[] }>();
  for (const findings of groupBy(alike, ({ url }) => url).values()) {
    const sentences = findings.map((finding) => sentenceOf(finding, findings, named));
    for (const [key, sentence] of new Map(sentences.map((one) => [one.ofOne, one]))) {
      const known = by.get(key) ?? { sentence, findings: [] };
      known.findings.push(...findings);
      by.set(key, known);
    }
  }
  return [...by.values()].map(({ sentence, findings }) => hazardOf(sentence, findings, named));
}

function hazardOf({ ofOne, ofSeveral }: Sentence, findings: readonly AccessFinding[], named: IdNaming): Hazard {
  const [first] = findings;
  if (first === undefined) throw new TypeError('no finding causes this hazard');
  const urls = distinctUrls(findings.map(({ url }) => url));
  const causes = [...new Set(findings.flatMap(({ cause }) => cause?.address ?? []))].sort();
  const isOwn = causes.length === 1 && causes[0] === first.address;
  const effects = hazardEffects(findings, effectOf);
  return {
    code: first.code,
    address: first.address,
    message: (urls.length === 1 ? ofOne : ofSeveral).replaceAll(URLS, listSome(urls)),
    ...(isOwn ? {} : { causes }),
    urls,
    asked: {
      before: together(findings.map(({ before }) => words(before, named))),
      after: together(findings.map(({ after }) => words(after, named))),
    },
    get effects() {
      return effects();
    },
    ...(first.how === 'unlisted' ? { unlisted: true } : {}),
    ...(first.listedBy === undefined ? {} : { listedBy: first.listedBy }),
  };
}

function effectOf({ cause, url, before, after }: AccessFinding): UrlEffect {
  return {
    ...(cause === undefined ? {} : { cause: cause.address }),
    url,
    before: accessDigest(before),
    after: accessDigest(after),
    asked: askedDigests(after),
  };
}

/** A sentence about one URL, and the same about several. */
interface Sentence {
  readonly ofOne: string;
  readonly ofSeveral: string;
}

// A placeholder for the URLs.
const URLS = '\u0001';

function sentenceOf(finding: AccessFinding, beside: readonly AccessFinding[], named: IdNaming): Sentence {
  switch (finding.code) {
    case 'EXPOSES_PUBLICLY': {
      const rule = (them: string): string => {
        if (finding.listedBy === 'repository') return `, and only access.public of sluice.yaml lists ${them}`;
        return finding.how === 'unlisted' ? `, and access.public does not list ${them}` : '';
      };
      if (finding.before.reach === 'policy')
        return {
          ofOne: `${URLS} becomes public: anyone can reach its backend, not only its traffic policy${rule('it')}`,
          ofSeveral: `${URLS} become public: anyone can reach their backends, not only their traffic policies${rule('them')}`,
        };
      return {
        ofOne: `${URLS} becomes public: anyone can reach it${rule('it')}`,
        ofSeveral: `${URLS} become public: anyone can reach them${rule('them')}`,
      };
    }
    case 'PUBLICLY_EXPOSED': {
      const { lastApplied, how } = finding;
      const asked = lastApplied === undefined ? '' : named(askedInWords(lastApplied));
      const was =
        asked === '' ? '' : `; after the last apply, ${asked} ${asked.includes(' and ') ? 'were' : 'was'} required`;
      const end = how === 'ends' ? 'this plan ends the public access' : 'this plan does not change the public access';
      return {
        ofOne: `${URLS} is already public${was}; ${end}`,
        ofSeveral: `${URLS} are already public${was}; ${end}`,
      };
    }
    case 'OPENS_ACCESS':
    case 'RESTRICTS_ACCESS': {
      const text = requestsText(finding, beside, named);
      return { ofOne: text, ofSeveral: text };
    }
  }
}

/** The sentence for what requests no longer have to satisfy, or have to from now on. */
function requestsText(finding: AccessFinding, beside: readonly AccessFinding[], named: IdNaming): string {
  const { code, how, before, after, difference } = finding;
  const controls = [...new Set(beside.flatMap(({ difference: one }) => one?.control ?? []))];
  const detail = difference === undefined || difference.control !== undefined ? '' : named(difference.text);
  if (code === 'RESTRICTS_ACCESS') {
    if (detail !== '') return `requests to ${URLS}: ${detail}${how === 'back' ? ' (as last applied)' : ''}`;
    const asked = named(askedInWords(after, (name) => controls.includes(name)));
    return `requests to ${URLS}${how === 'back' ? ' again' : ' now'} require ${asked === '' ? controls.join(', ') : asked}`;
  }
  if (detail !== '') {
    if (how === 'again') return `requests to ${URLS} are served again: ${detail}`;
    if (how === 'outside') return `requests to ${URLS} (access control changed outside sluice): ${detail}`;
    return `requests to ${URLS}${movedText(before, after)}: ${detail}`;
  }
  if (how === 'again') return `requests to ${URLS} are served again, but no longer require ${controls.join(', ')}`;
  return `requests to ${URLS} are no longer subject to ${controls.join(', ')}${how === 'outside' ? ' (changed outside sluice)' : ''}`;
}

function movedText({ matchedBy: old }: Access, { matchedBy: young }: Access): string {
  if (old === undefined || young === undefined || instanceName(old) === instanceName(young)) return '';
  return ` are now handled by ${instanceName(young)}`;
}

function words(access: Access, named: IdNaming): string {
  return isReachable(access) ? named(askedInWords(access)) : 'not reachable';
}

function together(texts: readonly string[]): string {
  if (texts.length === 1) return texts.join();
  const different = new Set(texts);
  const distinct = [...different].map((text) => (text === '' && different.size > 1 ? anyoneInWords : text));
  return distinct.length > 3
    ? `${distinct.slice(0, 3).join('; or ')}; or other access control`
    : distinct.join('; or ');
}
