import { brokenRule } from '../../derive/check/broken-rule.ts';
import { durationText } from '../../derive/duration.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { getsNewId } from '../../model/plan/plan.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';

/** A certificate that would end before it begins: with `lifecycle.valid_for`, it ends so long after its creation. */
export function validityPeriod({ pair, spec, action }: Decision, { now, stack }: PlanInput): Diagnostic[] {
  const { kind, desired, address } = pair;
  const { renewal } = kind;
  if (renewal === undefined || desired === undefined || now === undefined || !getsNewId(action)) return [];
  const { startField, expiryField } = renewal;
  const { valid_for: seconds } = desired.lifecycle;
  const start = spec[startField];
  const hasEnd = (spec[expiryField] ?? null) !== null;
  if (seconds === undefined || hasEnd || typeof start !== 'string' || Date.parse(start) < now + seconds * 1000)
    return [];
  const message = `\`${kind.name}.spec.${startField}\` is later than the end of the certificate, ${durationText(seconds)} after its creation`;
  return [
    {
      code: 'INVALID_VALIDITY_PERIOD',
      ...brokenRule({ since: 'completed', message }, stack.profile),
      hint: `set an earlier \`${startField}\`, or a longer \`lifecycle.valid_for\``,
      address,
      place: desired.places.of([startField]),
    },
  ];
}
