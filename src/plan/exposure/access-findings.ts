import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/compare-text.ts';
import type { Hazard } from '../../model/plan.ts';
import { listSome } from '../warnings/list-some.ts';
import { instanceName, type Movement } from '../order/plan-node.ts';
import { anyoneInWords, askedInWords, isReachable, type Access } from './access.ts';
import type { AccessDifference } from './access-differences.ts';
import { distinctUrls } from './class-url.ts';
import type { IdNaming } from './id-naming.ts';

/** One thing found out about one class of requests. */
export interface AccessFinding {
  readonly code: 'OPENS_ACCESS' | 'EXPOSES_PUBLICLY' | 'PUBLICLY_EXPOSED' | 'RESTRICTS_ACCESS';
  readonly address: Address;
  /** The movement that causes it; none where the account is so already. */
  readonly cause?: Movement;
  readonly url: string;
  readonly how: 'now' | 'again' | 'back' | 'outside' | 'unlisted' | 'stays' | 'ends';
  readonly difference?: AccessDifference;
  readonly before: Access;
  readonly after: Access;
  /** What was last applied, where that differs from what is there. */
  readonly told?: Access;
}

/** Collects what is found out, and says each thing once for all the URLs it concerns. */
export class AccessFindings {
  /** By code, address and sort, then by URL. */
  readonly #found = new Map<string, Map<string, AccessFinding[]>>();
  readonly #byPolicy = new Set<string>();
  readonly #named: IdNaming;

  constructor(named: IdNaming) {
    this.#named = named;
  }

  add(finding: AccessFinding): void {
    const { code, address, how, url } = finding;
    const key = [code, address, how].join('\n');
    const byUrl = this.#found.get(key) ?? new Map<string, AccessFinding[]>();
    byUrl.set(url, [...(byUrl.get(url) ?? []), finding]);
    this.#found.set(key, byUrl);
  }

  addByPolicy(url: string): void {
    this.#byPolicy.add(url);
  }

  all(): { readonly hazards: readonly Hazard[]; readonly publicByPolicy: readonly string[] } {
    const hazards = [...this.#found.values()].flatMap((byUrl) => hazardsOf(byUrl, this.#named));
    return {
      hazards: hazards.sort((a, b) => compareText(a.address, b.address) || compareText(a.message, b.message)),
      publicByPolicy: distinctUrls([...this.#byPolicy]),
    };
  }
}

/** Findings of one sort about one resource, those that say the same together. */
function hazardsOf(byUrl: ReadonlyMap<string, readonly AccessFinding[]>, named: IdNaming): Hazard[] {
  const by = new Map<string, { readonly text: string; readonly findings: AccessFinding[] }>();
  for (const findings of byUrl.values()) {
    for (const text of new Set(findings.flatMap((finding) => textsOf(finding, findings, named)))) {
      const known = by.get(text) ?? { text, findings: [] };
      known.findings.push(...findings);
      by.set(text, known);
    }
  }
  return [...by.values()].map(({ text, findings }) => hazardOf(text, findings, named));
}

function hazardOf(text: string, findings: readonly AccessFinding[], named: IdNaming): Hazard {
  const [first] = findings;
  if (first === undefined) throw new TypeError('a hazard without a finding');
  const urls = distinctUrls(findings.map(({ url }) => url));
  const causes = [...new Set(findings.flatMap(({ cause }) => cause?.address ?? []))].sort();
  const isOwn = causes.length === 1 && causes[0] === first.address;
  return {
    code: first.code,
    address: first.address,
    message: text
      .replaceAll(here, listSome(urls))
      .replace(/\u0002\(([^|]*)\|([^)]*)\)/g, (_, one: string, several: string) => (urls.length === 1 ? one : several)),
    ...(isOwn ? {} : { causes }),
    urls,
    asked: {
      before: together(findings.map(({ before }) => named(words(before)))),
      after: together(findings.map(({ after }) => named(words(after)))),
    },
    ...(first.how === 'unlisted' ? { unlisted: true } : {}),
  };
}

// Stands for the URLs, whose number decides the grammar.
const here = '\u0001';

function textsOf(
  { code, how, before, after, told, difference }: AccessFinding,
  beside: readonly AccessFinding[],
  named: IdNaming,
): string[] {
  const controls = [...new Set(beside.flatMap(({ difference: one }) => one?.control ?? []))];
  const moved =
    before.catcher !== undefined &&
    after.catcher !== undefined &&
    instanceName(before.catcher) !== instanceName(after.catcher)
      ? ` are now handled by ${instanceName(after.catcher)}:`
      : ':';
  const detail = difference === undefined || difference.control !== undefined ? '' : named(difference.text);
  switch (code) {
    case 'OPENS_ACCESS': {
      const when = { again: ' are reachable again', outside: ' were changed outside sluice' }[how as string] ?? '';
      if (detail !== '') return [`requests to ${here}${when === '' ? moved : `${when}:`} ${detail}`];
      if (how === 'again')
        return [
          `requests to ${here} are reachable again without ${controls.join(', ')}, which they required when last reachable`,
        ];
      return [
        `requests to ${here} are no longer subject to ${controls.join(', ')}${how === 'outside' ? ' (changed outside sluice)' : ''}`,
      ];
    }
    case 'EXPOSES_PUBLICLY': {
      const rule = how === 'unlisted' ? `, and access.public does not list ${one('it', 'them')}` : '';
      return [`${here} ${one('becomes', 'become')} public: anyone can reach ${one('it', 'them')}${rule}`];
    }
    case 'PUBLICLY_EXPOSED': {
      const asked = told === undefined ? '' : named(askedInWords(told));
      const was =
        asked === '' ? '' : `; when last applied, ${asked} ${asked.includes(' and ') ? 'were' : 'was'} required`;
      const end = how === 'ends' ? 'this plan closes that' : 'this plan does not change that';
      return [`${here} ${one('is', 'are')} public now${was}; ${end}`];
    }
    case 'RESTRICTS_ACCESS': {
      const back = how === 'back' ? ' again' : '';
      if (detail !== '') return [`requests to ${here}: ${detail}${how === 'back' ? ' (as last applied)' : ''}`];
      const asked = named(askedInWords(after, (name) => controls.includes(name)));
      return [
        `requests to ${here}${back === '' ? ' now' : back} require ${asked === '' ? controls.join(', ') : asked}`,
      ];
    }
  }
}

/** A word for one URL, and one for several. */
function one(singular: string, plural: string): string {
  return `\u0002(${singular}|${plural})`;
}

function words(access: Access): string {
  if (!isReachable(access)) return 'not reachable';
  return askedInWords(access);
}

function together(texts: readonly string[]): string {
  const different = new Set(texts);
  const distinct = [...different].map((text) => (text === '' && different.size > 1 ? anyoneInWords : text));
  return distinct.length > 3 ? `${distinct.slice(0, 3).join('; or ')}; or others` : distinct.join('; or ');
}
