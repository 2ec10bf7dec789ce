import type { Stored } from './family.ts';
import { readForm } from './read-form.ts';
import type { EmulatorWorld } from './world.ts';

/** The JSON text of a resource, kept until the resource changes; what changes with time is made anew. */
export function renderer(world: EmulatorWorld): (resource: Stored, origin: string) => string {
  const kept = new WeakMap<Stored, { readonly origin: string; readonly text: string }>();
  return (resource, origin) => {
    const before = kept.get(resource);
    if (before?.origin === origin) return before.text;
    const text = JSON.stringify(readForm(resource, world, origin));
    if (world.behaviours.get(resource.kind)?.live !== true) kept.set(resource, { origin, text });
    return text;
  };
}
