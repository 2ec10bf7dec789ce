import { StoreRefused } from '../../diagnostics/errors.ts';
import type { S3Credentials } from './s3-credentials.ts';

/** Where a bucket is, and by which credentials; plain values, so that a thread can be given them. */
export interface S3Address extends S3Credentials {
  readonly origin: string;
  /** Before the name of an object: the bucket where it is not in the host name, then the prefix. */
  readonly path: string;
  /** The prefix alone, as listings show it. */
  readonly prefix: string;
  /** For messages. */
  readonly name: string;
  readonly region: string;
}

/** Which bucket, as settings and the environment name it. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  /** Of a service that is not AWS. */
  readonly endpoint?: string;
  /** Whether the bucket is in the path of a URL, not in its host name. */
  readonly pathStyle?: boolean;
}

/** The address of the objects of one stack. AWS is asked by the host name of the bucket, every other service by its path. */
export function s3Address(
  { bucket, prefix, region, endpoint, pathStyle }: S3Location,
  stack: string,
  credentials: S3Credentials,
): S3Address {
  const base = new URL(endpoint === undefined ? awsEndpoint(region) : mustBeEndpoint(endpoint));
  // A certificate of AWS covers one label before its own name.
  const inPath = pathStyle ?? (endpoint !== undefined || bucket.includes('.'));
  const folder = [...prefix.split('/'), stack].filter((part) => part !== '').join('/');
  const host = inPath ? base.host : `${bucket}.${base.host}`;
  const start = base.pathname.replace(/\/+$/, '');
  return {
    origin: `${base.protocol}//${host}`,
    path: `${start}/${inPath ? `${bucket}/` : ''}`,
    prefix: `${folder}/`,
    name: `s3://${bucket}/${folder}${endpoint === undefined ? '' : ` (${base.host})`}`,
    region,
    ...credentials,
  };
}

function awsEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function mustBeEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search + url.hash !== '')
    throw invalid('the S3 endpoint must be an http or https URL, and must not contain credentials');
  if (url.port === '0') throw invalid('the S3 endpoint has port 0');
  return text;
}

function invalid(message: string): StoreRefused {
  return new StoreRefused('INVALID_STATE_URL', message, {
    hint: 'use a URL such as https://minio.example.com:9000',
  });
}
