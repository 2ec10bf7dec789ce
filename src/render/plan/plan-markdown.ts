import { counted } from '../../diagnostics/counted.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { KindSet } from '../../kinds/kind.ts';
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { isEmptyPlan, type Change, type Hazard, type Plan } from '../../model/plan/plan.ts';
import { whyNotApprovable } from '../../plan/why-not-approvable.ts';
import type { Verification } from '../../model/verification.ts';
import { ruleLines, type RuleLine } from '../access/rule-lines.ts';
import type { OutputTarget, PlanResult } from '../formats/format.ts';
import { accessRows, otherHazards, type AccessChange } from './access-changes.ts';
import { actionWords, countActions } from './action-words.ts';
import { changeContent, changeDetails, changeRemark } from './change-markdown.ts';
import { changesBySeverity, foldIdentical, hazardsBySeverity } from './reading-order.ts';
import { driftHeading, splitByCause } from './drift.ts';
import { diagnosticMarkdown } from '../diagnostics/diagnostic-markdown.ts';
import { fittedPage, omitted, type Section } from '../text/fit.ts';
import { present } from '../../model/present.ts';
import { hiddenLine, runLine, type PipelineRun } from '../text/comment-lines.ts';
import { idNames, type IdNames } from '../values/field-value.ts';
import { issueLines } from './change-lines.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import type { PlanDetail } from '../../model/plan/plan-detail.ts';
import { shownParts, wholePlan, type ShownPart } from './shown-parts.ts';
import { notApprovableText, planSummary, snapshotLine } from './plan-summary.ts';
import { platforms, sourceLink } from '../text/platform.ts';
import { unverifiedSecrets, type UnverifiedSecret } from '../../plan/warnings/unverified-secrets.ts';
import { unresolvedMarkdown } from './unresolved-creations.ts';
import { verificationDetails, verificationLine } from './verification-lines.ts';
import { dependenciesByChange } from './dependencies.ts';

/** How a plan is to be shown in a comment: what identifies it, and where it is read. */
export interface PlanMarkdownOptions
  extends
    Pick<PlanResult, 'digest' | 'time'>,
    Partial<Pick<PlanResult, 'verified' | 'parts'>>,
    Pick<OutputTarget, 'platform'>,
    Partial<Pick<OutputTarget, 'repository' | 'maxBytes'>> {
  readonly kinds: KindSet;
  readonly detail?: PlanDetail | undefined;
  readonly run?: PipelineRun | undefined;
  /** The URL of the account, for a comment that is found again by it. */
  readonly baseUrl?: string;
}

type Around = PlanMarkdownOptions & {
  readonly names: IdNames;
  readonly hazards: readonly Hazard[];
  /** In a part of a plan. */
  readonly sharedOf?: ShownPart['sharedOf'];
};

/** The least size of a plan, in bytes. */
export const fewestBytes = 2048;

// A space at which no line is broken.
const unbroken = '\u{a0}';

// Resources named in one row; the details have all of them.
const mostNamed = 5;

// Room for what is omitted: a sentence a section, and the counts in it.
const roomForOmissions = 900;

/** A plan for a comment on a pull request. Pieces beyond the size limit are omitted whole, the least dangerous first, and counted. */
export function planMarkdown(plan: Plan, options: PlanMarkdownOptions): string {
  const parts = options.parts === undefined ? undefined : shownParts(plan, options.parts);
  const head = headText(plan, parts ?? [], options);
  const run = runLine(options.run ?? {});
  const foot = `${readinessLine(plan, options.verified)}Digest ${markdownCode(options.digest)}, planned ${markdownCode(options.time)}.${run === '' ? '' : ` ${run}`}\n`;
  const bytes = Math.max(fewestBytes, options.maxBytes ?? platforms[options.platform].maxBytes);
  const around = { ...options, names: idNames(plan), hazards: plan.hazards };
  const access = accessRows(plan);
  const warnings = plan.diagnostics.filter(({ severity }) => severity !== 'note');
  const { detail = 'full' } = options;
  const risks = (): readonly Section[] => [
    unresolvedMarkdown(plan.unresolved),
    ruleSection(ruleLines(plan.rules ?? [])),
    accessSection(access),
    policySection(plan.publicByPolicy, access),
    hazardSection(hazardsBySeverity(otherHazards(plan))),
    unverifiedSection(unverifiedSecrets(plan), plan.snapshot !== undefined),
  ];
  const others = (): readonly Section[] => [
    proofSection(options.verified),
    ...(parts === undefined
      ? causeSections(plan.changes, '', around)
      : parts.flatMap((part) => partSections(part, around))),
    warningSection(warnings, options),
    {
      ...detailSection(plan, around),
      omission: (left) =>
        `The details of ${counted(left, 'change')}, the least dangerous first, are omitted (size limit: ${bytes} bytes).`,
    },
  ];
  const sections = [...(detail === 'counts' ? [] : risks()), ...(detail === 'full' ? others() : [])];
  return fittedPage({ head, sections, foot }, bytes, roomForOmissions);
}

function readinessLine(plan: Plan, verified: Verification | undefined): string {
  const reasons = whyNotApprovable(plan).map(notApprovableText);
  if (reasons.length > 0) return `Not approvable: ${reasons.join('; ')}.\n\n`;
  return isEmptyPlan(plan) || verified?.converges === false ? '' : 'Nothing blocks this plan.\n\n';
}

function partSections({ title, changes, sharedOf, commit }: ShownPart, around: Around): readonly Section[] {
  const { repository } = around;
  const ofPart = repository === undefined || commit === undefined ? repository : { ...repository, revision: commit };
  return causeSections(changes, `**${title}**\n\n`, { ...around, repository: ofPart, sharedOf });
}

/** What the manifests introduce, and what only repairs drift. */
function causeSections(changes: readonly Change[], title: string, around: Around): readonly Section[] {
  const { introduced, repairs } = splitByCause(changes);
  const total = countActions(introduced, 'toDo');
  return [
    {
      ...changeSection(introduced, title, around),
      omission: (left) => `${omitted(left, 'change')}; total: ${total}.`,
    },
    {
      ...changeSection(repairs, `**${driftHeading}**\n\n`, around),
      omission: (left) => `${omitted(left, 'drifted resource')}.`,
    },
  ];
}

function headText(
  plan: Plan,
  parts: readonly ShownPart[],
  { platform, digest, time, verified, detail, baseUrl }: PlanMarkdownOptions,
): string {
  const marker = hiddenLine({ ...plan.stack, ...present({ baseUrl }) }, { digest, time }, platform);
  const line = verified === undefined ? '' : verificationLine(verified);
  const proof = line === '' ? '' : `${verified?.converges === true ? line : `**${line}**`}\n\n`;
  const from = snapshotLine(plan);
  const part = `${from === '' ? '' : `${markdownText(from)}\n\n`}${plan.complete ? '' : 'Targeted plan: resources that are not targeted are not deleted.\n\n'}`;
  const whole = parts.length === 0 ? '' : wholePlan;
  // Notes name resources and quote errors.
  const headings = parts.map(
    ({ heading, notes }) => `- ${markdownText([`${heading}.`, ...(detail === 'counts' ? [] : notes)].join(' '))}\n`,
  );
  const list = parts.length === 0 ? '' : `${headings.join('')}\n`;
  const numbers = detail === 'counts' ? hazardNumbers(plan.hazards) : '';
  return `${marker}\n\n### sluice plan for ${markdownCode(plan.stack.name)}\n\n**${whole}${planSummary(plan)}**\n\n${list}${numbers}${proof}${part}`;
}

/** Hazards by code, for a comment that names nothing else of them. */
function hazardNumbers(hazards: readonly Hazard[]): string {
  return hazards.length === 0 ? 'No hazards.\n\n' : `Hazards: ${countsByCode(hazardsBySeverity(hazards))}.\n\n`;
}

// URLs of one row; JSON has all of them.
const mostUrls = 5;

function accessSection(access: readonly AccessChange[]): Section {
  return {
    head: '**Who can reach what**\n\n| Access | Who can reach it | Details |\n| --- | --- | --- |\n',
    pieces: access.map(({ hazards, what, urls, before, after, routes }) => {
      const more = urls.length > mostUrls ? ` and ${counted(urls.length - mostUrls, 'more URL')}` : '';
      const shown = urls.slice(0, mostUrls).map(markdownCode).join(' ');
      const codes = hazards.map(({ code }) => code.replaceAll('_', String.raw`\_`)).join(', ');
      const details = hazards.map(({ address, message }) => `${markdownCode(address)}: ${markdownText(message)}`);
      const reach =
        before === after ? markdownText(after) : `before: ${markdownText(before)}; after: ${markdownText(after)}`;
      return `| **${what}**: ${shown}${more}${codes === '' ? '' : ` (${codes})`} | ${reach} | ${details.join('; ') || `${listed(routes)}: created with access control`} |\n`;
    }),
    foot: `\n${legendOf(access.flatMap(({ urls }) => urls.slice(0, mostUrls)))}`,
    omission: (left) =>
      `Access: ${omitted(left, 'change')}; total: ${countsByCode(access.flatMap(({ hazards: own }) => own)) || 'no hazards'}.`,
  };
}

function ruleSection(lines: readonly RuleLine[]): Section {
  return {
    head: '**Access rules**\n\n',
    pieces: lines.map(
      ({ verdict, text }) => `- ${verdict === 'holds' ? '' : `**${verdict}**: `}${markdownText(text)}\n`,
    ),
    omission: (left) => `Access rules: ${omitted(left, 'line')}.`,
  };
}

function listed(addresses: readonly Address[]): string {
  const named = addresses.slice(0, mostNamed).map(markdownCode);
  const more = addresses.length > mostNamed ? ` and ${counted(addresses.length - mostNamed, 'more resource')}` : '';
  return `${named.join(', ')}${more}`;
}

function legendOf(urls: readonly string[]): string {
  return urls.some((url) => url.includes('…'))
    ? 'A URL that ends with `…` stands for all URLs with that prefix.\n\n'
    : '';
}

function policySection(urls: readonly string[], access: readonly AccessChange[]): Section {
  const isExplained = access.some((change) => legendOf(change.urls) !== '');
  return {
    head: 'Public on purpose (listed in `access.public`):\n\n',
    pieces: urls.map((url) => `- ${markdownCode(url)}\n`),
    foot: `\n${isExplained ? '' : legendOf(urls)}`,
    omission: (left) => `${omitted(left, 'URL')}.`,
  };
}

function unverifiedSection(secrets: readonly UnverifiedSecret[], isSnapshot: boolean): Section {
  const why = isSnapshot
    ? 'the snapshot does not contain them'
    : 'the service does not return them, and they are not in the state';
  return {
    head: `**Not compared with the account**: ${isSnapshot ? 'these values' : 'these secrets'}, because ${why}\n\n`,
    pieces: secrets.map(({ address, field }) => `- ${markdownCode(address)}: ${markdownCode(field)}\n`),
    omission: (left) => `${omitted(left, 'secret')}.`,
  };
}

function hazardSection(hazards: readonly Hazard[]): Section {
  return {
    head: '| Hazard | Resource | Message |\n| --- | --- | --- |\n',
    pieces: hazards.map(
      ({ code, address, message, temporary, isOfStack }) =>
        `| **${code.replaceAll('_', String.raw`\_`)}**${temporary === true ? ' (temporary)' : ''} | ${isOfStack === true ? 'the whole stack' : markdownCode(address)} | ${markdownText(message)} |\n`,
    ),
    omission: (left) => `${omitted(left, 'hazard')}; total: ${countsByCode(hazards)}.`,
  };
}

function proofSection(verified: Verification | undefined): Section {
  const details = verified === undefined ? [] : verificationDetails(verified);
  return {
    pieces: details.map((line) => `- ${markdownText(line)}\n`),
    omission: (left) => `Verification: ${omitted(left, 'detail')}.`,
  };
}

function changeSection(changes: readonly Change[], title: string, around: Around): Section {
  const { kinds, repository, platform, names, hazards, sharedOf } = around;
  const read = changesBySeverity(changes, hazards).map((change) => {
    const kind = kinds.named(change.kind);
    const remark = changeRemark(change, kind, names, sharedOf?.(change.address));
    return { change, details: [remark, ...changeContent(change, kind, names)] };
  });
  const groups = foldIdentical(read, hazards);
  return {
    head: `${title}| Action | Resource | Details |\n| --- | --- | --- |\n`,
    pieces: groups.map((group) => {
      const [{ change, details } = { change: undefined, details: [] }] = group;
      if (change === undefined) return '';
      const { symbol, toDo } = actionWords[change.action];
      const isOne = group.length === 1;
      const place = change.place === undefined || !isOne ? '' : sourceLink(change.place, repository, platform);
      // A line of its own keeps the table as narrow as a comment.
      const source = place === '' ? '' : platforms[platform].html ? `<br><sub>${place}</sub>` : `, ${place}`;
      const named = listed(group.map((one) => one.change.address));
      return `| ${markdownCode(symbol)}${unbroken}${toDo} | ${named}${source} | ${details[0] ?? ''} |\n`;
    }),
    weights: groups.map(({ length }) => length),
  };
}

function warningSection(warnings: readonly Diagnostic[], { repository, platform }: PlanMarkdownOptions): Section {
  return {
    pieces: warnings.map((warning) => diagnosticMarkdown(warning, repository, platform)),
    omission: (left) => `${omitted(left, 'warning')}.`,
  };
}

function detailSection(plan: Plan, { kinds, names, hazards, platform }: Around): Section {
  const [dependencies, issued] = [dependenciesByChange(plan.steps), issueLines(plan)];
  const read = changesBySeverity(plan.changes, hazards).map((change) => {
    const beside = [...issued(change.address), ...dependencies(change)];
    return { change, details: changeContent(change, kinds.named(change.kind), names, beside) };
  });
  const shown = read.filter(({ details }) => details.length > 0);
  const groups = foldIdentical(shown, hazards);
  return {
    pieces: groups.map((group) => changeDetails(group, platforms[platform])),
    weights: groups.map(({ length }) => length),
    foot: '',
  };
}

function countsByCode(hazards: readonly Hazard[]): string {
  const counts = [...groupBy(hazards, ({ code }) => code)].map(
    ([code, own]) => `${own.length} ${code.replaceAll('_', ' ').toLowerCase()}`,
  );
  return counts.join(', ');
}
