import { hash } from 'node:crypto';
import { canonical } from '../../derive/canonical.ts';
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
  const asked = [edge, route].flatMap((node) => (node === undefined ? [] : controlsOf(node)));
  const answering = asked.filter(({ mayAnswer }) => mayAnswer).map(({ text }) => text);
  const refusing = asked.filter(({ mayAnswer }) => !mayAnswer).map(({ text }) => digestOfText(text));
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
  return digestOfText(JSON.stringify(facts));
}

function digestOfText(text: string): string {
  return hash('sha256', text).slice(0, digits);
}

/** What a module requires, as text. */
interface Control {
  readonly mayAnswer: boolean;
  readonly text: string;
}

// Many requests have the same route, and all of an edge have the same edge.
const known = new WeakMap<object, readonly Control[]>();

function controlsOf(node: RoutingNode): readonly Control[] {
  const controls = known.get(node.spec) ?? moduleEffects(node).refusing.map(controlOf);
  known.set(node.spec, controls);
  return controls;
}

function controlOf({ name, field, module }: ModuleInEffect): Control {
  const text = JSON.stringify([name, canonical(field, module, () => '(not compared)')]);
  return { mayAnswer: field.mayAnswer === true, text };
}

function controlsText(node: RoutingNode): string {
  return `[${controlsOf(node)
    .map(({ text }) => text)
    .join(',')}]`;
}
