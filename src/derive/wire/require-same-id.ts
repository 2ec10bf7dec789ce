import type { Kind } from '../../kinds/kind.ts';
import { fromWire, UnexpectedAnswer } from './from-wire.ts';

/** Insists that an answer is the resource that was asked for: what is said of another says nothing of it. */
export function requireSameId(kind: Kind, answer: unknown, id: string): void {
  if (fromWire(kind, answer).id !== id)
    throw new UnexpectedAnswer(kind.name, 'the `id` in the response differs from the requested id');
}
