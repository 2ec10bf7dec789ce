import { certificateEnds, mayHaveEnd } from '../../derive/certificate-ends.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { namedFieldsWhere } from '../../kinds/named-fields.ts';
import { isEnabled } from '../../kinds/checks.ts';
import type { Field, Fields } from '../../kinds/kind.ts';
import type { Path, SpecObject } from '../../kinds/value.ts';
import { isReplacement } from '../../model/plan/plan.ts';
import type { Decision } from '../decide.ts';
import { spanText } from '../renewal.ts';

/** So many milliseconds before its end something is worth a warning. */
const SOON = 30 * 86_400_000;

/** Certificates in manifests, and issued ones that nothing renews, that have ended or soon will (in milliseconds since 1970, `now`). */
export function expiries(decision: Decision, now: number | undefined): Diagnostic[] {
  if (now === undefined || decision.pair.desired === undefined) return [];
  const given = certificatesIn(decision.pair.kind.fields, decision.spec, []);
  const hint = 'replace the certificate before it expires';
  return [
    ...given.flatMap((one) => warning(decision, now, { ...one, what: `the certificate of ${one.subject}`, hint })),
    ...issued(decision, now),
  ];
}

interface Found {
  readonly path: Path;
  readonly subject: string;
  readonly ends: number;
}

const certificateFields = namedFieldsWhere((field) => mayHoldCertificate(field));

function mayHoldCertificate(field: Field): boolean {
  if (field.lifecycle === 'computed') return false;
  if (field.is === 'leaf') return mayHaveEnd(field.format);
  return field.is === 'group' && Object.values(field.fields).some(mayHoldCertificate);
}

function certificatesIn(fields: Fields, spec: SpecObject, at: Path): Found[] {
  return certificateFields(fields).flatMap(({ name, field }): Found[] => {
    const value = spec[name];
    if (value === undefined) return [];
    const path = [...at, name];
    if (field.is === 'leaf' && typeof value === 'string')
      return certificateEnds(field.format, value).map((found) => ({ path, ...found }));
    return field.is === 'group' && isEnabled(value) ? certificatesIn(field.fields, value, path) : [];
  });
}

/** What was issued for a while, stays as it is in this plan, and is renewed by nobody. */
function issued(decision: Decision, now: number): Diagnostic[] {
  const { kind, actual, desired } = decision.pair;
  const end = kind.renewal === undefined ? undefined : actual?.spec[kind.renewal.expiryField];
  if (kind.renewal === undefined || typeof end !== 'string' || isReplacement(decision.action)) return [];
  if (desired?.lifecycle.renew_before !== undefined) return [];
  return warning(decision, now, {
    path: [kind.renewal.expiryField],
    ends: Date.parse(end),
    what: 'the certificate that the service issued',
    hint: 'set lifecycle.renew_before to renew the certificate in time',
  });
}

interface Ending extends Pick<Found, 'path' | 'ends'> {
  readonly what: string;
  readonly hint: string;
}

function warning({ pair }: Decision, now: number, { path, ends, what, hint }: Ending): Diagnostic[] {
  const left = ends - now;
  if (Number.isNaN(left) || left > SOON) return [];
  const day = new Date(ends).toISOString().slice(0, 10);
  const place = pair.desired?.places.of(path);
  return [
    {
      code: left > 0 ? 'EXPIRES_SOON' : 'EXPIRED',
      severity: 'warning',
      message: `\`${path.join('.')}\`: ${left > 0 ? `${what} expires on ${day}, in ${spanText(left)}` : `${what} expired on ${day}, ${spanText(-left)} ago`}`,
      hint,
      address: pair.address,
      ...(place === undefined ? {} : { place }),
    },
  ];
}
