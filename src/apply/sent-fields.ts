import type { Step } from '../model/plan/plan.ts';

/** The fields of the resource that a request writes: those of its body, or for a PUT the module that its path names. */
export function sentFields({ request: { method, path, body } }: Step): readonly string[] {
  if (method !== 'PUT') return Object.keys(body ?? {});
  const last = path.at(-1);
  const module = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return module === undefined ? [] : [module];
}
