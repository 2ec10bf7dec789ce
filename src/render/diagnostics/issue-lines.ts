import { durationText } from '../../derive/duration.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/group-by.ts';
import type { FileChange, Plan } from '../../model/plan/plan.ts';

const fileTexts: Readonly<Record<FileChange['reason'], (path: string) => string>> = {
  issued: (path) => `writes ${path} after the certificate is issued`,
  missing: (path) => `writes ${path}, because the file is missing`,
  different: (path) => `writes ${path}, because the file has other content`,
};

/** For each address, a text about its issued credential: its expiry, and its file. */
export function issueLines({ steps, files }: Plan): (address: Address) => string[] {
  const [stepsOf, filesOf] = [byAddress(steps), byAddress(files)];
  return (address) => [
    ...(stepsOf.get(address) ?? []).flatMap(({ request: { validFor } }) =>
      validFor === undefined ? [] : [`${safeText(validFor.field)}: ${durationText(validFor.seconds)} after apply`],
    ),
    ...(filesOf.get(address) ?? []).map(({ path, reason }) => fileTexts[reason](safeText(path))),
  ];
}
