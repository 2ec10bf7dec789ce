import { addressNamed } from '../../../derive/address-named.ts';
import { NotFound } from '../../../diagnostics/errors.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import { matcherOf } from '../../../manifest/expand/matches-wildcard.ts';
import type { Address } from '../../../model/address.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import { table } from '../../../render/text/table.ts';
import { loadDesired } from '../../../stack/plan/load-desired.ts';
import { makePlan } from '../../../stack/plan/make-plan.ts';
import { refreshStack } from '../../../stack/plan/refresh-stack.ts';
import { unmanagedMatches, type UnmanagedMatch, type UnmanagedMatches } from '../../../stack/plan/unmanaged-matches.ts';
import { withWorkspace } from '../../with-workspace.ts';
import { approveAndApply } from '../../approval/approve-and-apply.ts';
import type { Context } from '../../context.ts';
import { alreadyManages, mustBeDefined, type ImportFlags } from './import-command.ts';
import { addressOfWord } from '../../usage/kind-named.ts';

const everything = '*';

/** Imports every live resource that has a unique value of one that the manifests define, in one plan. */
export async function importAll(context: Context, word: string, flags: ImportFlags): Promise<number> {
  const pattern = word.includes('*') ? addressNamed(word, kinds) : addressOfWord(word);
  return withWorkspace(context, { ...flags, command: 'import', writes: true }, async (workspace) => {
    const wanted = await loadDesired(context, workspace, flags, 'error');
    const isOne = !word.includes('*') || wanted.described.includes(pattern);
    const isMeant = matcherOf(pattern, new Set(wanted.described));
    if (pattern !== everything) mustBeDefined(pattern, wanted.described, isMeant);
    const selected = wanted.desired.resources.filter(({ address }) => isMeant(address));
    const account = await refreshStack(context, workspace, wanted, {});
    const { matches, ambiguous } = unmanagedMatches(selected, account, kinds, flags.adoptFrom);
    if (!isOne)
      for (const one of ambiguous)
        context.log(
          'warn',
          `${severalText(one)}. Import the resource that you mean with \`sluice import ${safeText(one.address)} ID\`.`,
        );
    if (matches.length === 0) {
      const managed = account.ours.get(pattern)?.id;
      if (isOne && managed === undefined) throw noMatch(pattern, ambiguous[0]);
      context.log(
        'info',
        managed === undefined
          ? 'Nothing to import: no unmanaged resource has the same unique value as a manifest, such as its hostport.'
          : alreadyManages(pattern, managed),
      );
      return context.done('', { imported: [] });
    }
    const resources = matches.map(({ desired, actual }) => ({
      ...desired,
      lifecycle: {
        ...desired.lifecycle,
        adopt: actual.id,
        ...(actual.marker === undefined || flags.adoptFrom === undefined ? {} : { adopt_from: flags.adoptFrom }),
      },
    }));
    const desired = { ...wanted.desired, resources, complete: false };
    const planned = await makePlan(context, workspace, { ...wanted, desired, removedTargets: [] }, flags);
    if (context.format.isInteractive) context.io.out(`${matchTable(context, matches, planned.plan)}\n`);
    const question = `Import ${matches.length === 1 ? 'this resource' : `these ${counted(matches.length, 'resource')}`}?`;
    return approveAndApply(context, workspace, planned, flags, question);
  });
}

type Ambiguous = UnmanagedMatches['ambiguous'][number];

/** Why one address is not imported without an id. */
function noMatch(address: Address, ambiguous: Ambiguous | undefined): NotFound {
  const hint = `pass the id of the resource: \`sluice import ${safeText(address)} ID\``;
  return ambiguous === undefined
    ? new NotFound(
        'RESOURCE_NOT_FOUND',
        `no unmanaged resource has the same unique value as ${safeText(address)}, such as its hostport`,
        hint,
      )
    : new NotFound('AMBIGUOUS_MATCH', severalText(ambiguous), hint);
}

function severalText({ address, ids }: Ambiguous): string {
  return `${safeText(address)} matches several resources: ${ids.map((id) => safeText(id, 80)).join(', ')}`;
}

function matchTable({ palette }: Context, matches: readonly UnmanagedMatch[], { changes }: Plan): string {
  const fields = new Map(changes.map((change) => [change.address, change.fields.map(({ path }) => path.join('.'))]));
  const rows = matches.map(({ desired: { address }, actual, by }) => {
    const changed = fields.get(address) ?? [];
    // Long texts, such as certificates, distinguish nothing to the eye.
    const value = by.value.length > 80 ? '' : ` ${by.value}`;
    return [address, actual.id, `${by.field}${value}`, changed.length === 0 ? 'none' : changed.join(', ')];
  });
  return table(
    ['ADDRESS', 'ID', 'MATCHED BY', 'CHANGES'],
    rows.map((row) => row.map((text) => safeText(text, 120))),
    palette,
  );
}
