import type { Kind } from '../../kinds/kind.ts';
import { fromWire, UnexpectedAnswer } from './from-wire.ts';

/** Throws unless an answer is the requested resource: an answer about another one proves nothing. */
export function requireSameId(kind: Kind, answer: unknown, id: string): void {
  if (fromWire(kind, answer).id !== id)
    throw new UnexpectedAnswer(kind.name, 'the `id` in the response differs from the requested id');
}
