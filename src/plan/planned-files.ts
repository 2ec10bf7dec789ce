import { issuedText } from '../derive/wire/actual-value.ts';
import { type FileChange, getsNewId } from '../model/plan/plan.ts';
import type { Decision } from './decide.ts';
import type { PlanInput } from './input.ts';

/** The files to be written: of what is issued by this plan, and those that do not hold what was issued before. */
export function plannedFiles(decisions: readonly Decision[], { files }: PlanInput): FileChange[] {
  if (files === undefined) return [];
  return decisions.flatMap((decision): FileChange[] => {
    const { kind, desired, actual, address } = decision.pair;
    const path = desired?.lifecycle.certificate_file;
    if (path === undefined) return [];
    if (getsNewId(decision.action)) return [{ address, path, reason: 'issued' }];
    const text = issuedText(kind, actual?.computed);
    const held = files.get(path);
    if (text === undefined || held === text) return [];
    return [{ address, path, reason: held === undefined ? 'missing' : 'different', text }];
  });
}
