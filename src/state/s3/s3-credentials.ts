import { safeText } from '../../diagnostics/safe-text.ts';
import { missingText, renewedText } from '../renewed-text.ts';

interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What requests are signed with, and the files that it was read from; plain values, so that a thread can be given them. */
export interface S3Credentials extends S3Keys {
  readonly files?: { readonly [Key in keyof S3Keys]?: string };
}

/** Whether a text can be a credential. An error about one that cannot be in a header would repeat it. */
export function canBeCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** What is wrong with any other text. */
export const noCredential = 'contains a space or a line break, or a character that is not ASCII';

/** Reads again what comes from files, as a temporary key does that somebody renews. Undefined: they are the same. */
export function renewedCredentials(before: S3Credentials): S3Credentials | undefined {
  const { accessKeyId, secretAccessKey, sessionToken, files = {} } = before;
  const renewed = {
    ...before,
    accessKeyId: renewedKey(files.accessKeyId, accessKeyId),
    secretAccessKey: renewedKey(files.secretAccessKey, secretAccessKey),
    ...(sessionToken === undefined ? {} : { sessionToken: renewedKey(files.sessionToken, sessionToken) }),
  };
  const isSame =
    renewed.accessKeyId === accessKeyId &&
    renewed.secretAccessKey === secretAccessKey &&
    (sessionToken === undefined || renewed.sessionToken === sessionToken);
  return isSame ? undefined : renewed;
}

/** Why there is nothing in the files to renew credentials with. */
export function missingCredentials({ files = {} }: S3Credentials): readonly string[] {
  return Object.values(files).flatMap(
    (file) =>
      missingText(file) ??
      (canBeCredential(renewedText(file, '')) ? [] : `the credential file ${safeText(file, 200)} ${noCredential}`),
  );
}

function renewedKey(file: string | undefined, before: string): string {
  const text = renewedText(file, before);
  return canBeCredential(text) ? text : before;
}
