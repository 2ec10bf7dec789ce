import type { Step } from '../model/plan.ts';

/** The fields of the resource that an answer shows: all of them, or the one module that was written. */
export function answeredFields(
  { request: { method, path } }: Step,
  answer: unknown,
): Readonly<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null || method === 'DELETE') return {};
  if (method !== 'PUT') return { ...answer };
  const last = path.at(-1);
  const module = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return module === undefined ? {} : { [module]: answer };
}
