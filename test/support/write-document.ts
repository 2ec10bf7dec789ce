import { atOnce } from '../../src/model/sliced.ts';
import type { State } from '../../src/model/state.ts';
import { documentInSteps, type Writer } from '../../src/state/document.ts';

/** The text of a state file, at once. */
export function writeDocument(state: State, writer: Writer): string {
  return atOnce(documentInSteps(state, writer));
}
