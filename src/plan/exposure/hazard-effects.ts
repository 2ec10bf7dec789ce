import { hash } from 'node:crypto';
import { canonical } from '../../derive/canonical.ts';
import { oncePer } from '../../kinds/once-per.ts';
import { compareText } from '../../model/compare-text.ts';
import type { HazardEffect } from '../../model/plan/plan.ts';
import { moduleEffects, type ModuleInEffect } from '../routing/module-effects.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { isReachable, type Access } from './access.ts';
import { distinctUrls } from './class-url.ts';

/** What a change does to the access to one URL. */
export interface UrlEffect extends Omit<HazardEffect, 'urls'> {
  readonly url: string;
}

/** What the findings of a hazard do, worked out on first use: only what compares plans needs it. The findings are let go of then. */
export function hazardEffects<Finding>(
  findings: readonly Finding[],
  effectOf: (one: Finding) => UrlEffect,
): () => readonly HazardEffect[] {
  let open: readonly Finding[] | undefined = findings;
  let effects: readonly HazardEffect[] = [];
  return () => {
    if (open !== undefined) effects = alikeTogether(open.map(effectOf));
    open = undefined;
    return effects;
  };
}

/** One effect for all URLs to which a change does the same. */
function alikeTogether(all: readonly UrlEffect[]): HazardEffect[] {
  const found = new Map<string, Omit<UrlEffect, 'url'> & { readonly urls: string[] }>();
  for (const { url, ...one } of all) {
    const key = [one.cause, one.before, one.after].join('\n');
    const effect = found.get(key) ?? { ...one, urls: [] };
    effect.urls.push(url);
    found.set(key, effect);
  }
  return [...found]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { urls, ...effect }]) => ({ ...effect, urls: distinctUrls(urls) }));
}

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
  return digestOf([backend, ofAll(accesses)]);
}

interface Accesses {
  readonly values: () => Iterable<Access>;
}

// Many URLs may open a backend that many routes lead to.
const ofAll = oncePer(new WeakMap<Accesses, string>(), (accesses) =>
  digestOf([...new Set([...accesses.values()].map(accessDigest))].sort()),
);

function digestOf(facts: unknown): string {
  return digestOfText(JSON.stringify(facts));
}

function digestOfText(text: string): string {
  return hash('sha256', text).slice(0, digits);
}

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
