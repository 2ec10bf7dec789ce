import { hash } from 'node:crypto';
import { canonical, type Canonical } from '../../derive/canonical.ts';
import { moduleEffects, type ModuleInEffect } from '../routing/module-effects.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { isReachable, type Access } from './access.ts';

const digits = 32;

/**
 * A digest of who has access: equal for requests that reach something by the same access controls and filters, however
 * these are spelled. Secrets and values from outside are left out: what a plan changes in them is in its changes.
 */
export function accessDigest(access: Access): string {
  const { reach, route, edge } = access;
  const facts = isReachable(access)
    ? [reach, edge?.passesThrough === true, [edge, route].map((node) => (node === undefined ? '' : controlsText(node)))]
    : [reach];
  return digestOf(facts);
}

/**
 * Digests of what requests have to satisfy, and of what may answer them: where one access has all that another one has, it admits no
 * client that the other refuses.
 */
export function askedDigests({ reach, route, edge }: Access): readonly string[] {
  const asked = [edge, route].flatMap((node) => (node === undefined ? [] : askedBy(node)));
  const answering = asked.filter(({ mayAnswer }) => mayAnswer).map(({ digest }) => digest);
  const refusing = asked.filter(({ mayAnswer }) => !mayAnswer).map(({ digest }) => digest);
  return [digestOf([reach, edge?.passesThrough === true, answering]), ...refusing];
}

/** A digest of how a backend is reached: equal for the same backend and the same different accesses to it. */
export function backendDigest(backend: string, accesses: Accesses): string {
  const all = ofAll.get(accesses) ?? digestOf([...new Set([...accesses.values()].map(accessDigest))].sort());
  ofAll.set(accesses, all);
  return digestOf([backend, all]);
}

interface Accesses {
  readonly values: () => Iterable<Access>;
}

// Many URLs may open a backend that many routes lead to.
const ofAll = new WeakMap<Accesses, string>();

function digestOf(facts: unknown): string {
  return hash('sha256', JSON.stringify(facts)).slice(0, digits);
}

// Many requests have the same route, and all of an edge have the same edge.
const known = new WeakMap<object, string>();

function controlsText({ kind, spec }: RoutingNode): string {
  const text = known.get(spec) ?? JSON.stringify(controlsOf({ kind, spec }));
  known.set(spec, text);
  return text;
}

interface AskedModule {
  readonly mayAnswer: boolean;
  readonly digest: string;
}

const knownAsked = new WeakMap<object, readonly AskedModule[]>();

function askedBy(node: RoutingNode): readonly AskedModule[] {
  const asked =
    knownAsked.get(node.spec) ??
    moduleEffects(node).refusing.map((one) => ({
      mayAnswer: one.field.mayAnswer === true,
      digest: digestOf(controlOf(one)),
    }));
  knownAsked.set(node.spec, asked);
  return asked;
}

function controlsOf(node: Pick<RoutingNode, 'kind' | 'spec'>): readonly (readonly [string, Canonical])[] {
  return moduleEffects(node).refusing.map(controlOf);
}

function controlOf({ name, field, module }: ModuleInEffect): readonly [string, Canonical] {
  return [name, canonical(field, module, () => '(not compared)')];
}
