import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { RuleVerdict } from '../../model/exposure/access-rules.ts';
import { findingMessage, ruleName } from './finding-message.ts';

/** Broken rules as errors, unproven ones as notes, or as errors where they are strict. */
export function ruleDiagnostics(verdicts: readonly RuleVerdict[]): Diagnostic[] {
  return verdicts.flatMap((verdict): Diagnostic[] => [
    ...verdict.findings.map((finding): Diagnostic => {
      const isBroken = finding.verdict === 'broken';
      const isStrict = verdict.isBreach && verdict.verdict === 'unproven';
      const { address, place } = finding;
      return {
        code: isBroken ? 'ACCESS_RULE_BROKEN' : 'ACCESS_RULE_NOT_PROVEN',
        severity: isBroken || isStrict ? 'error' : 'note',
        message: findingMessage(verdict, finding),
        address,
        ...(place === undefined ? {} : { place }),
      };
    }),
    ...exceptionDiagnostics([verdict]),
  ]);
}

/** Exceptions that end soon or have ended, as warnings. */
export function exceptionDiagnostics(verdicts: readonly RuleVerdict[]): Diagnostic[] {
  return verdicts.flatMap((verdict) =>
    verdict.exceptions
      .filter(({ ends }) => ends !== 'later')
      .map(({ url, until, ends }): Diagnostic => ({
        code: 'ACCESS_EXCEPTION_ENDS',
        severity: 'warning',
        message: `the exception to ${ruleName(verdict)} for ${url} ${ends === 'past' ? 'ended' : 'ends'} on ${until}`,
        hint:
          ends === 'past'
            ? 'remove the exception, or set a later date'
            : 'protect the URL before this date, or set a later date',
      })),
  );
}
