import type { SpecObject } from '../kinds/value.ts';
import type { Step } from '../model/plan/plan.ts';

/** What a request writes, by field of the resource: the values of its body, or for a PUT the module that its path names. */
export function sentFields({ request: { method, path, body = {} } }: Step): SpecObject {
  if (method !== 'PUT') return body;
  const last = path.at(-1);
  const module = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return module === undefined ? {} : { [module]: body };
}
