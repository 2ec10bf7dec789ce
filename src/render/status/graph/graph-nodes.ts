import { createHash } from 'node:crypto';
import { splitAddress, type Address } from '../../../model/address.ts';
import type { Sliced } from '../../../model/sliced.ts';
import { type ResourceStatus, type SyncStatus, syncStatuses } from '../../../model/status/watch-status.ts';
import { addToGroup } from '../../../model/group-by.ts';

/** One box of the graph: a resource, or several in sync that are drawn as one. */
export interface GraphNode {
  readonly key: string;
  readonly kind: string;
  readonly label: string;
  readonly syncStatus: SyncStatus;
  readonly members: readonly Address[];
  /** The keys of the boxes it depends on. */
  readonly dependsOn: readonly string[];
  /** Which of these its change adds and removes. */
  readonly changed: ReadonlyMap<string, LineChange>;
}

/** What a change does to a line of the graph. */
export type LineChange = 'added' | 'removed';

/** What is drawn, and what is not. */
export interface GraphNodes {
  readonly nodes: readonly GraphNode[];
  /** The number of resources that share a box. */
  readonly collapsed: number;
  /** The number of resources that are not drawn. */
  readonly omitted: number;
}

// Where there are more resources than this, the graph leaves most of the page to the list.
const [mostBoxes, fewerBoxes] = [100, 50];

/** The boxes of a graph. When there are too many, resources in sync share a box with similar ones. */
export function* graphNodes(resources: readonly ResourceStatus[]): Sliced<GraphNodes> {
  const most = resources.length <= mostBoxes ? mostBoxes : fewerBoxes;
  const grouped = [alikeIn(resources), (one: ResourceStatus) => (isInSync(one) ? one.kind : alone(one))];
  const ways = resources.length <= most ? [alone] : grouped;
  let nodes: readonly GraphNode[] = [];
  for (const groupOf of ways) {
    nodes = yield* boxes(resources, groupOf);
    if (nodes.length <= most) break;
  }
  const drawn = [...nodes].sort((a, b) => urgency(a) - urgency(b)).slice(0, most);
  const keys = new Set(drawn.map(({ key }) => key));
  const size = (some: readonly GraphNode[]): number => some.reduce((sum, { members }) => sum + members.length, 0);
  return {
    nodes: nodes
      .filter(({ key }) => keys.has(key))
      .map((node) => ({ ...node, dependsOn: node.dependsOn.filter((key) => keys.has(key)) })),
    collapsed: size(drawn.filter(({ members }) => members.length > 1)),
    omitted: size(nodes) - size(drawn),
  };
}

function alone({ address }: ResourceStatus): string {
  return address;
}

function isInSync({ syncStatus }: ResourceStatus): boolean {
  return syncStatus === 'in-sync';
}

/** Resources in sync are alike if they have the same kind and their dependencies are alike, recursively. */
function alikeIn(resources: readonly ResourceStatus[]): (one: ResourceStatus) => string {
  const byAddress = new Map(resources.map((one) => [one.address, one]));
  const known = new Map<Address, string>();
  // Most are like others: of those, one is digested.
  const names = new Map<string, string>();
  const likeness = (one: ResourceStatus): string => {
    const found = known.get(one.address);
    if (found !== undefined) return found;
    known.set(one.address, one.address);
    if (!isInSync(one)) return one.address;
    const needed = new Set<string>();
    for (const need of one.dependsOn) {
      const other = byAddress.get(need);
      if (other !== undefined) needed.add(likeness(other));
    }
    const text = JSON.stringify([one.kind, ...[...needed].sort()]);
    const name = names.get(text) ?? createHash('sha256').update(text).digest('hex');
    names.set(text, name);
    known.set(one.address, name);
    return name;
  };
  return likeness;
}

function* boxes(resources: readonly ResourceStatus[], groupOf: (one: ResourceStatus) => string): Sliced<GraphNode[]> {
  const groups = new Map<string, ResourceStatus[]>();
  const keyOf = new Map<Address, string>();
  for (const one of resources) {
    yield;
    const key = groupOf(one);
    addToGroup(groups, key, one);
    keyOf.set(one.address, key);
  }
  const nodes: GraphNode[] = [];
  for (const [key, members] of groups) {
    const [first] = members as [ResourceStatus, ...ResourceStatus[]];
    const dependsOn = new Set<string>();
    const changed = new Map<string, LineChange>();
    for (const { dependsOn: needs, addedDependencies = [], removedDependencies = [] } of members) {
      yield;
      for (const address of addedDependencies) changed.set(keyOf.get(address) ?? '', 'added');
      for (const address of removedDependencies) changed.set(keyOf.get(address) ?? '', 'removed');
      for (const address of needs) {
        const needed = keyOf.get(address);
        if (needed !== undefined && needed !== key) dependsOn.add(needed);
      }
    }
    nodes.push({
      key,
      kind: first.kind,
      label: members.length === 1 ? labelOf(first) : `${members.length} in sync`,
      syncStatus: first.syncStatus,
      members: members.map(({ address }) => address),
      dependsOn: [...dependsOn],
      changed,
    });
  }
  return nodes;
}

/** The name; of a child, the part of the name after that of its parent. */
function labelOf({ address, dependsOn }: ResourceStatus): string {
  const { name } = splitAddress(address);
  const parent = dependsOn.map((need) => `${splitAddress(need).name}:`).find((prefix) => name.startsWith(prefix));
  return parent === undefined ? name : name.slice(parent.length);
}

function urgency({ syncStatus }: GraphNode): number {
  return syncStatuses.indexOf(syncStatus);
}
