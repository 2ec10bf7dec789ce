import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { causesOf, type Plan } from '../../model/plan/plan.ts';

/** Diagnostics as GitHub workflow commands, a line each: shown on the line of the manifest they are about. */
export function diagnosticAnnotations(diagnostics: readonly Diagnostic[], fileIn: (file: string) => string): string[] {
  return diagnostics.map(({ severity, code, message, hint, address, place }) => {
    const about = address === undefined ? '' : `${address}: `;
    const text = `${about}${message}${hint === undefined ? '' : `. ${hint}`}`;
    return command(severity === 'note' ? 'notice' : severity, code, text, place, fileIn);
  });
}

/** The hazards of a plan as warnings on the manifests they come from. */
export function hazardAnnotations({ hazards, changes }: Plan, fileIn: (file: string) => string): readonly string[] {
  const placeOf = new Map(changes.map(({ address, place }) => [address, place]));
  return hazards.map((hazard) => {
    const { code, address, message } = hazard;
    const [place = placeOf.get(address)] = causesOf(hazard).flatMap((cause) => placeOf.get(cause) ?? []);
    return command('warning', code, `${address}: ${message}`, place, fileIn);
  });
}

function command(
  name: 'error' | 'warning' | 'notice',
  title: string,
  text: string,
  place: SourceLocation | undefined,
  fileIn: (file: string) => string,
): string {
  const at = place && `file=${property(fileIn(place.file))},line=${place.line},col=${place.col},`;
  return `::${name} ${at ?? ''}title=${property(title)}::${data(text)}`;
}

/** What a runner would read as the end of a command, or of a fact in it, it reads back from `%` and two digits. */
function data(text: string): string {
  return safeText(text, 2000).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
