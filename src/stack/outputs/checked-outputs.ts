import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { sortDiagnostics, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { replaceFieldRefs } from '../../derive/references.ts';
import { oncePer } from '../../kinds/once-per.ts';
import { Ref, type OutputSource } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Desired, DesiredStack } from '../../model/resource.ts';
import { takersOf } from '../../manifest/expand/takers-of.ts';
import { nearName } from '../../manifest/read/near-name.ts';
import { findRepository } from '../git/find-repository.ts';
import type { StackContext } from '../stack-context.ts';
import { stackManifests, type StackManifests } from './upstream-stacks.ts';

/** The manifests, with an error for each output that the other stack does not define, and for stacks that depend on each other. */
export async function withCheckedOutputs(
  desired: DesiredStack,
  dir: string,
  context: StackContext,
): Promise<DesiredStack> {
  const taken = desired.resources.flatMap((one) =>
    (one.references ?? []).flatMap(({ path, ref: { output } }) =>
      output === undefined ? [] : [{ output, address: one.address, place: one.places.of(path) }],
    ),
  );
  if (taken.length === 0) return desired;
  const own = realpathSync(dir);
  const read: ReadManifests = oncePer(new Map<string, Promise<StackManifests>>(), (at) => stackManifests(at, context));
  const cycles = new Map<string, string | undefined>();
  const problems: Diagnostic[] = [];
  const broken = new Set(desired.broken);
  const brokenFiles = new Set(desired.brokenFiles);
  const formerly = new Map<OutputSource, readonly Address[]>();
  for (const { output, address, place } of taken) {
    const at = resolve(own, output.stack);
    if (!cycles.has(at)) cycles.set(at, await cycleFrom(own, at, read));
    const cycle = cycles.get(at);
    const { addresses, formerly: formerOf } = await read(at);
    const former = formerOf(output.address);
    if (former.length > 0) formerly.set(output, former);
    const about = { severity: 'error', address, place } as const;
    if (cycle !== undefined)
      problems.push({
        code: 'STACK_CYCLE',
        ...about,
        message: `stacks reference each other's outputs: ${safeText(cycle, 400)}`,
        hint: 'replace one of the references with a literal value, or move the resources into one stack',
      });
    else if (addresses?.has(output.address) === false) {
      const hint = nearName(output.address, addresses);
      problems.push({
        code: 'UNKNOWN_REFERENCE',
        ...about,
        message: `the manifests of ${safeText(output.stack, 200)} do not define ${safeText(output.address, 200)}`,
        ...(hint === undefined ? {} : { hint }),
      });
    }
  }
  const resources = formerly.size === 0 ? desired.resources : desired.resources.map((one) => withFormer(one, formerly));
  const wrong = new Set(problems.map(({ address }) => address));
  for (const { address, place } of resources) {
    if (!wrong.has(address)) continue;
    broken.add(address);
    brokenFiles.add(place.file);
  }
  // Whoever takes a value of these, or this very output, has it from a manifest that is not in force.
  for (const address of takersOf(broken, resources)) broken.add(address);
  return {
    ...desired,
    resources,
    broken,
    brokenFiles,
    diagnostics: sortDiagnostics([...desired.diagnostics, ...problems]),
  };
}

/** A resource whose outputs have the former addresses of what they are taken from. */
function withFormer(desired: Desired, formerly: ReadonlyMap<OutputSource, readonly Address[]>): Desired {
  const { references, spec } = desired;
  if (references === undefined) return desired;
  const found = (ref: Ref): Ref => {
    const { to, field, output } = ref;
    const former = output === undefined ? undefined : formerly.get(output);
    return output === undefined || former === undefined ? ref : new Ref(to, field, { ...output, formerly: former });
  };
  return {
    ...desired,
    spec: replaceFieldRefs(spec, found),
    references: references.map((one) => ({ ...one, ref: found(one.ref) })),
  };
}

type ReadManifests = (dir: string) => Promise<StackManifests>;

/** The cycle into which the outputs of a stack lead, by the directories of its stacks. */
async function cycleFrom(own: string, first: string, read: ReadManifests): Promise<string | undefined> {
  const root = findRepository(own)?.root ?? resolve(own, '..');
  const done = new Set<string>();
  const named = (way: readonly string[]): string => way.map((dir) => relative(root, dir) || '.').join(' -> ');
  const search = async (dir: string, way: readonly string[]): Promise<string | undefined> => {
    if (way.includes(dir)) return named([...way.slice(way.indexOf(dir)), dir]);
    if (done.has(dir)) return undefined;
    for (const next of (await read(dir)).upstream) {
      const cycle = await search(next, [...way, dir]);
      if (cycle !== undefined) return cycle;
    }
    done.add(dir);
    return undefined;
  };
  return search(first, [own]);
}
