import { durationText, secondsIn } from '../../derive/duration.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { Renewal } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Lifecycle } from '../../model/resource.ts';
import { present } from '../../model/present.ts';
import type { Written, WrittenObject } from '../read/written.ts';

/** The further keys of a lifecycle block, of kinds that expire. */
export const renewalKeys = ['valid_for', 'renew_before', 'certificate_file'] as const;

/** What reading them needs to know. */
export interface RenewalOptions {
  readonly renewal: Renewal;
  readonly spec: SpecObject;
  /** The name, from the stack's directory, of a file that may be written; undefined for any other. */
  readonly fileNamed: (path: string) => string | undefined;
  readonly wrong: (key: string, message: string, code?: Code) => void;
}

/** Reads when a resource is renewed, and the file that keeps it. What is wrong is reported and omitted. */
export function readRenewal(
  written: WrittenObject,
  { renewal, spec, fileNamed, wrong }: RenewalOptions,
): Pick<Lifecycle, (typeof renewalKeys)[number]> {
  const [lasts, before] = [duration('valid_for'), duration('renew_before')];
  const file = fileFrom(written['certificate_file'] ?? null);
  const whole = lasts ?? renewal.defaultSeconds;
  const isTooLong = before !== undefined && before >= whole;
  if (isTooLong)
    wrong(
      'renew_before',
      `must be shorter than the validity period of ${durationText(whole)}; otherwise every plan would replace the certificate`,
    );
  return present({ valid_for: lasts, renew_before: isTooLong ? undefined : before, certificate_file: file });

  function duration(key: 'valid_for' | 'renew_before'): number | undefined {
    const value = written[key] ?? null;
    if (value === null) return undefined;
    const seconds = typeof value === 'string' ? secondsIn(value) : undefined;
    if (seconds === undefined) wrong(key, 'must be a duration of at most 100 years, such as 90d or 12h');
    else if ((spec[renewal.expiryField] ?? null) === null) return seconds;
    else wrong(key, `cannot be set together with \`spec.${renewal.expiryField}\``);
    return undefined;
  }

  function fileFrom(value: Written): string | undefined {
    if (value === null) return undefined;
    const { suffix } = renewal.file;
    if (typeof value !== 'string' || !value.endsWith(suffix)) {
      wrong('certificate_file', `must be a file path that ends in ${suffix}`);
      return undefined;
    }
    const name = fileNamed(value);
    if (name === undefined)
      wrong(
        'certificate_file',
        'must be a path in an existing directory of the stack, outside .git',
        'PATH_OUTSIDE_STACK',
      );
    return name;
  }
}

/** The keys of the lifecycle block of every kind. */
export const commonLifecycleKeys = ['protect', 'on_remove', 'ignore', 'adopt', 'adopt_from', 'moved_from'];

/** The keys of a lifecycle block, of one kind or another. */
export const lifecycleKeys: readonly string[] = [...commonLifecycleKeys, ...renewalKeys];
