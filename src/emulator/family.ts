import type { Kind, View } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';

/** A family as the emulator serves it: a kind, or a view with the calls that it offers. */
export interface Family
  extends View, Pick<Kind, 'rules' | 'unique' | 'within' | 'traffic' | 'unexplained' | 'pathOnlyUri'> {}

/** One resource as the account keeps it. Never changed: a write puts another in its place. */
export interface Stored {
  readonly kind: string;
  readonly id: string;
  /** The id of its parent. */
  readonly parent?: string;
  /** Counts creations in the account. */
  readonly seq: number;
  readonly created_at: string;
  /** What was written, in write form, without nulls. */
  readonly spec: SpecObject;
  /** What the service decided. */
  readonly own: SpecObject;
}
