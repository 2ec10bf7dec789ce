import { safeText } from '../../diagnostics/safe-text.ts';
import { missingText, renewedText } from '../renewed-text.ts';

/** The texts that requests are signed with. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What requests are signed with, and the files that it was read from; plain values, so that a thread can be given them. */
export interface S3Credentials extends S3Keys {
  readonly files?: { readonly [Key in keyof S3Keys]?: string };
}

/** Why a text cannot be this credential. The error of a header would repeat what cannot be in it; the secret key only signs, and MinIO takes any. */
export function credentialFlaw(name: keyof S3Keys, text: string): string | undefined {
  if (name === 'secretAccessKey')
    return /\p{Cc}/u.test(text) ? 'the credential contains a line break or another control character' : undefined;
  const isWord = /^[\x21-\x7e]+$/.test(text);
  return isWord ? undefined : 'the credential contains a space or a line break, or a character that is not ASCII';
}

/** Reads again what comes from files, as a temporary key does that somebody renews. Undefined: they are the same. */
export function renewedCredentials(before: S3Credentials): S3Credentials | undefined {
  const { accessKeyId, secretAccessKey, sessionToken, files = {} } = before;
  const renewed = {
    ...before,
    accessKeyId: renewedKey('accessKeyId', files.accessKeyId, accessKeyId),
    secretAccessKey: renewedKey('secretAccessKey', files.secretAccessKey, secretAccessKey),
    ...(sessionToken === undefined
      ? {}
      : { sessionToken: renewedKey('sessionToken', files.sessionToken, sessionToken) }),
  };
  const isSame =
    renewed.accessKeyId === accessKeyId &&
    renewed.secretAccessKey === secretAccessKey &&
    (sessionToken === undefined || renewed.sessionToken === sessionToken);
  return isSame ? undefined : renewed;
}

/** Why there is nothing in the files to renew credentials with. */
export function missingCredentials({ files = {} }: S3Credentials): readonly string[] {
  return (Object.entries(files) as [keyof S3Keys, string][]).flatMap(([name, file]) => {
    const flaw = credentialFlaw(name, renewedText(file, ''));
    return (
      missingText(file) ??
      (flaw === undefined ? [] : `the credential file ${safeText(file, 200)} cannot be used: ${flaw}`)
    );
  });
}

function renewedKey(name: keyof S3Keys, file: string | undefined, before: string): string {
  const text = renewedText(file, before);
  return credentialFlaw(name, text) === undefined ? text : before;
}
