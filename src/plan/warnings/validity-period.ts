import { brokenRule } from '../../derive/check/broken-rule.ts';
import { durationText } from '../../derive/duration.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { getsNewId } from '../../model/plan/plan.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';

/** A certificate that would end before it begins: without an end in its manifest, it ends so long after its creation. */
export function validityPeriod({ pair, spec, action }: Decision, { now, stack }: PlanInput): Diagnostic[] {
  const { kind, desired, address } = pair;
  const { renewal } = kind;
  if (renewal === undefined || desired === undefined || now === undefined || !getsNewId(action)) return [];
  const { startField, expiryField, defaultSeconds } = renewal;
  const seconds = desired.lifecycle.valid_for ?? defaultSeconds;
  const start = spec[startField];
  const hasEnd = (spec[expiryField] ?? null) !== null;
  if (hasEnd || typeof start !== 'string' || Date.parse(start) < now + seconds * 1000) return [];
  const message = `\`${kind.name}.spec.${startField}\` is later than the end of the certificate, ${durationText(seconds)} after its creation`;
  return [
    {
      code: 'INVALID_VALIDITY_PERIOD',
      ...brokenRule({ since: 'completed', message }, stack.profile),
      hint: `set an earlier \`${startField}\`, or set \`${expiryField}\` without \`lifecycle.valid_for\``,
      address,
      place: desired.places.of([startField]),
    },
  ];
}
