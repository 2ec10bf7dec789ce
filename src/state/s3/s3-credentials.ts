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
  const changed = keyNames.flatMap((name) => {
    const key = before[name];
    if (key === undefined) return [];
    const text = renewedText(before.files?.[name], key);
    return text === key || credentialFlaw(name, text) !== undefined ? [] : [[name, text]];
  });
  return changed.length === 0 ? undefined : { ...before, ...(Object.fromEntries(changed) as Partial<S3Keys>) };
}

const keyNames = ['accessKeyId', 'secretAccessKey', 'sessionToken'] as const satisfies readonly (keyof S3Keys)[];

/** Why there is nothing in the files to renew credentials with. */
export function missingCredentials({ files = {} }: S3Credentials): readonly string[] {
  return keyNames.flatMap((name) => {
    const file = files[name];
    if (file === undefined) return [];
    const flaw = credentialFlaw(name, renewedText(file, ''));
    return (
      missingText(file) ??
      (flaw === undefined ? [] : `the credential file ${safeText(file, 200)} cannot be used: ${flaw}`)
    );
  });
}
