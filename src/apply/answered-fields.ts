import type { Step } from '../model/plan.ts';
import { sentFields } from './sent-fields.ts';

/** The fields of the resource that an answer shows: all of them, or the one module that was written. */
export function answeredFields(step: Step, answer: unknown): Readonly<Record<string, unknown>> {
  const { method } = step.request;
  if (typeof answer !== 'object' || answer === null || method === 'DELETE') return {};
  return method === 'PUT' ? Object.fromEntries(sentFields(step).map((module) => [module, answer])) : { ...answer };
}
