import type { Profile, KindSet } from '../kinds/kind.ts';
import { sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { addressOf, type Address } from '../model/address.ts';
import type { Desired, DesiredStack } from '../model/resource.ts';
import type { Pause } from '../model/sliced.ts';
import { apiKeyIn } from './check/own-credentials.ts';
import { build } from './expand/build.ts';
import { crossCheck } from './check/cross-check.ts';
import { shadowed } from './check/shadowed.ts';
import { unserved } from './check/unserved.ts';
import { checkMoves } from './check/check-moves.ts';
import { resourceDrafts } from './expand/resource-draft.ts';
import { searchTest } from './check/search-test.ts';
import { reportStrayVariables } from './check/stray-variables.ts';
import { externalKind, readExternal, type External } from './check/external.ts';
import { listItems } from './read/list-items.ts';
import type { ParseFile } from './read/kept-documents.ts';
import { readManifest, type Manifest } from './check/manifest-shape.ts';
import { moduleSetKind } from './check/module-set.ts';
import { isPrintable } from './read/is-printable.ts';
import { yieldToLoop } from './read/yield-to-loop.ts';
import { parseDocuments } from './read/parse-documents.ts';
import { patching, type Item } from './expand/patching.ts';
import type { Patch } from './expand/patch.ts';
import { manifestVisibility, Problems, type ReportProblem } from './check/problems.ts';
import { readManifests, type ReadOptions } from './read/read-manifests.ts';
import { findOutputs, type FindStack } from './expand/find-outputs.ts';
import { refTable } from './expand/ref-table.ts';
import { takersOf } from './expand/takers-of.ts';
import { takeValues } from './expand/taken-values.ts';
import { moduleTaker, readModuleSet } from './check/shared-module.ts';
import { notPrintable } from './expand/resolve-spec.ts';
import { originIn, valueSource, type ValueOptions } from './read/value-source.ts';
import { inside } from './read/written.ts';
import type { Variables } from './variables/variables.ts';

/** What to load, and how. */
export interface LoadOptions extends ReadOptions, ValueOptions {
  readonly kinds: KindSet;
  readonly profile: Profile;
  readonly patches: readonly Patch[];
  readonly variables: Variables;
  /** Finds the stacks whose outputs manifests take. */
  readonly findStack: FindStack;
  /** How files are parsed, for callers that keep the documents. */
  readonly parse?: ParseFile;
  /** Whether resources carry the ownership marker. */
  readonly marker: boolean;
  readonly whole: boolean;
  /** Told how many manifests have been read so far, once for each thousand. */
  readonly onManifests?: (count: number) => void;
}

/** Reads manifests and makes of them what is wanted. What the user got wrong is a diagnostic, never thrown. */
export async function loadManifests(options: LoadOptions): Promise<DesiredStack> {
  const { kinds, profile, whole } = options;
  const problems = new Problems(manifestVisibility(kinds));
  const pace = yieldToLoop();
  const found = await readAll(options, problems, pace);
  const { complete, brokenFiles, unread, inDoubt, consequences } = found;
  const { externals, ...shop } = workshop(options, found, problems);
  const built: Desired[] = [];
  const broken = new Set<Address>();
  for (const manifest of found.manifests) {
    const kind = kinds.named(manifest.kind);
    if (kind === undefined) continue;
    const before = problems.troubles;
    const own: Desired[] = [];
    for (const draft of resourceDrafts(manifest, kind, kinds, problems)) {
      const desired = build(draft, shop);
      if (desired !== undefined) own.push(desired);
      const turn = pace();
      if (turn !== undefined) await turn;
    }
    built.push(...own);
    if (!found.doubtful.has(manifest) && problems.troubles === before) continue;
    brokenFiles.add(fileOf(manifest));
    for (const { address } of own) broken.add(address);
  }
  const report: ReportProblem = ({ address, place: { file } }, make, severity = 'error') => {
    if (severity === 'error') {
      broken.add(address);
      brokenFiles.add(file);
    }
    problems.inFile(file, () => ({ ...make(), severity, address }), severity);
  };
  const doubt = (address: Address): void => void broken.add(address);
  const taken = takeValues(built, { kinds, profile, complete, targeted: !whole, report, doubt });
  await pace();
  const resources = crossCheck(taken, kinds, profile, report);
  await pace();
  checkMoves(resources, report, doubt);
  for (const address of takersOf(broken, resources)) broken.add(address);
  // What is left out may only be misspelled.
  const unreachable = unserved(resources, kinds).filter(({ about }) => !broken.has(about.address));
  await pace();
  for (const { about, make } of [...unreachable, ...shadowed(resources, kinds)]) report(about, make, 'warning');
  const diagnostics = sortDiagnostics(problems.all());
  const doubts = { broken, brokenFiles, unread, inDoubt, consequences };
  return { resources, diagnostics, ...doubts, externals, complete: whole };
}

function fileOf({ origin }: Item | Manifest): string {
  return origin.document.file.name;
}

/** Addresses of externals by their ids; of two with one id, the first. */
function addressesById(externals: ReadonlyMap<string, External | undefined>): Readonly<Record<string, Address>> {
  const named = [...externals].flatMap(([name, external]): [string, Address][] =>
    external === undefined ? [] : [[external.id, addressOf(externalKind, name)]],
  );
  return Object.fromEntries(named.reverse());
}

/** Every manifest of every file, patched. `complete` unless something could not be read. */
async function readAll(options: LoadOptions, problems: Problems, pace: Pause) {
  const items: Item[] = [];
  const doubtfulItems = new Set<Item>();
  const manifests: Manifest[] = [];
  // Manifests that themselves contain a problem.
  const doubtful = new Set<Manifest>();
  const unread = new Set<string>();
  const patches = patching(options.patches, options.kinds, problems);
  const parse = options.parse ?? parseDocuments;
  let complete = true;
  // Nobody knows which resource an error is about.
  let inDoubt = false;
  let files = 0;
  for await (const result of readManifests(options)) {
    if ('problem' in result) {
      problems.add(result.problem);
      unread.add(result.problem.place?.file ?? '.');
      if (result.isEnd === true) inDoubt = true;
      complete = false;
      continue;
    }
    files += 1;
    for (const parsed of parse(result.file)) {
      const { document, value } = parsed;
      for (const problem of parsed.problems) problems.inText(parsed, problem);
      if (parsed.problems.length > 0) complete = false;
      const before = problems.troubles;
      const inside = value === undefined ? [] : listItems(value, document, problems);
      for (const item of inside) {
        patches.see(item);
        if (items.push(item) % 1000 === 0) options.onManifests?.(items.length);
      }
      if (parsed.problems.length > 0 || problems.troubles > before) {
        unread.add(result.file.name);
        for (const item of inside) doubtfulItems.add(item);
      }
      const turn = pace();
      if (turn !== undefined) await turn;
    }
  }
  const { apiKeys } = options.credentials;
  const mayContain = searchTest(apiKeys);
  for (const item of items) {
    const before = problems.troubles;
    const patched = patches.apply(item);
    const { value, origin } = patched;
    const isSearched = patched !== item || mayContain(origin.document);
    const holder = isSearched ? apiKeyIn(value, apiKeys) : undefined;
    if (holder !== undefined) problems.refuse(origin, value, holder);
    // Nothing else is said about a manifest with a key: an excerpt could show it.
    const hasVariables = (): boolean => isSearched && reportStrayVariables(value, origin, options.kinds, problems);
    const isWhole = holder === undefined && !hasVariables();
    const manifest = isWhole ? readManifest(value, origin, options.kinds, problems) : undefined;
    if (manifest === undefined) {
      complete = false;
      unread.add(fileOf(item));
    } else manifests.push(manifest);
    if (manifest !== undefined && (problems.troubles > before || doubtfulItems.has(item))) doubtful.add(manifest);
    const turn = pace();
    if (turn !== undefined) await turn;
  }
  // The resource that the patch is to change may have another name now, and would be in force without it.
  if (options.whole && patches.hasUnused()) inDoubt = true;
  if (options.whole && complete) patches.reportUnused();
  if (options.whole && complete && files === 0 && options.inputs.length > 0) {
    inDoubt = true;
    problems.add({
      code: 'NO_MANIFESTS',
      severity: 'error',
      message: 'no manifest file was found; without any manifest file, sluice deletes nothing',
      hint: 'add a manifest, or an empty manifest file if the stack must have no resources; `sluice explain` lists the kinds',
    });
  }
  // Errors that may only follow from a file that cannot be read.
  const consequences = options.whole && !complete ? patches.unusedBecauseOf([...unread]) : [];
  return { manifests, complete, doubtful, brokenFiles: new Set(unread), unread, inDoubt, consequences };
}

/** Gathers what resources share before any of them is built: names, externals, module sets. */
function workshop(
  options: LoadOptions,
  { manifests, complete, doubtful, brokenFiles }: Awaited<ReturnType<typeof readAll>>,
  problems: Problems,
) {
  const { kinds, profile, variables } = options;
  const findValue = valueSource(options);
  const resources = new Map(kinds.all.map(({ name }) => [name, new Set<string>()]));
  const externals = new Map<string, External | undefined>();
  const first = new Map<string, Manifest>();
  // Module sets with something wrong in them.
  const brokenSets = new Set<string>();
  const brokenExternals = new Set<string>();
  for (const manifest of manifests) {
    const { kind, name } = manifest;
    if (name !== undefined) resources.get(kind)?.add(name);
    if (kind !== externalKind) continue;
    const before = problems.troubles;
    if (isFirst(manifest)) externals.set(name ?? '', external(manifest));
    if (problems.troubles === before && !doubtful.has(manifest)) continue;
    brokenFiles.add(fileOf(manifest));
    brokenExternals.add(name ?? '');
  }
  // Whoever uses one has a value that is not known.
  for (const name of brokenExternals) externals.set(name, undefined);
  const refs = refTable({ resources, externals, complete, targeted: !options.whole, profile });
  const outputs = findOutputs(kinds, profile, options.findStack);
  const base = { refs, outputs, variables, findValue, problems, profile };
  const sets = new Map(
    manifests
      .filter((manifest) => manifest.kind === moduleSetKind && isFirst(manifest))
      .map((manifest) => {
        const before = problems.troubles;
        const modules = readModuleSet(manifest, kinds, base);
        if (problems.troubles > before || doubtful.has(manifest)) spoil(manifest);
        return [manifest.name ?? '', modules];
      }),
  );
  const takeModules = moduleTaker(sets, brokenSets, complete, problems);
  return { ...base, dir: options.dir, kinds, marker: options.marker, takeModules, externals: addressesById(externals) };

  function spoil(set: Manifest): void {
    brokenFiles.add(fileOf(set));
    brokenSets.add(set.name ?? '');
  }

  /** Duplicate resources are found by their addresses later; the other kinds of manifest have only their names. */
  function isFirst(manifest: Manifest): boolean {
    const address = addressOf(manifest.kind, manifest.name ?? '');
    const other = first.get(address);
    if (other === undefined) first.set(address, manifest);
    else {
      if (manifest.kind === moduleSetKind) spoil(manifest);
      problems.at(manifest.origin, [], {
        code: 'DUPLICATE_ADDRESS',
        message: `${address} is defined twice`,
        address,
        related: [{ message: 'first defined here', origin: other.origin }],
      });
    }
    return other === undefined;
  }

  function external({ spec, origin }: Manifest): External | undefined {
    const specOrigin = inside(origin, 'spec');
    const given = variables(spec['id'] ?? null);
    if (given !== undefined && 'complaint' in given) {
      problems.at(specOrigin, ['id'], given.complaint);
      return undefined;
    }
    const written = given?.value ?? spec['id'] ?? null;
    const from = originIn(written);
    const manifest = given === undefined ? origin.document.file.path : undefined;
    const found = from === undefined ? undefined : findValue(from, manifest, undefined);
    if (found?.complaint !== undefined) problems.at(specOrigin, ['id'], found.complaint);
    if (found?.text !== undefined && !isPrintable(found.origin, undefined, found.text)) {
      problems.at(specOrigin, ['id'], notPrintable('id', found.origin));
      return undefined;
    }
    const id = found === undefined ? written : (found.text ?? 'unknown');
    return readExternal(spec['id'] === undefined ? spec : { ...spec, id }, (path, complaint) =>
      problems.at(specOrigin, path, complaint),
    );
  }
}
