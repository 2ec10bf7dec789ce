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

/** Reads again what comes from files, as a temporary key does that somebody renews. Undefined: they are the same. */
export function renewedCredentials(before: S3Credentials): S3Credentials | undefined {
  const { accessKeyId, secretAccessKey, sessionToken, files = {} } = before;
  const renewed = {
    ...before,
    accessKeyId: renewedText(files.accessKeyId, accessKeyId),
    secretAccessKey: renewedText(files.secretAccessKey, secretAccessKey),
    ...(sessionToken === undefined ? {} : { sessionToken: renewedText(files.sessionToken, sessionToken) }),
  };
  const isSame =
    renewed.accessKeyId === accessKeyId &&
    renewed.secretAccessKey === secretAccessKey &&
    (sessionToken === undefined || renewed.sessionToken === sessionToken);
  return isSame ? undefined : renewed;
}

/** Why there is nothing in the files to renew credentials with. */
export function missingCredentials({ files = {} }: S3Credentials): readonly string[] {
  return Object.values(files).flatMap((file) => missingText(file) ?? []);
}
