import { expect, test } from 'vitest';
import { s3Address, type S3Location } from '../../../src/state/s3/s3-address.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'key' };
const aws: S3Location = { bucket: 'states', prefix: 'sluice', region: 'eu-west-1' };
const minio: S3Location = { ...aws, endpoint: 'https://minio.example.com:9000/s3/' };

/** Where the objects of a stack are, and how that place is called. */
function placed(location: S3Location) {
  const { origin, path, prefix, name } = s3Address(location, 'prod', credentials);
  return [`${origin}${path}${prefix}`, name];
}

test.each<[string, S3Location, string, string]>([
  ['AWS', aws, 'https://states.s3.eu-west-1.amazonaws.com/sluice/prod/', 's3://states/sluice/prod'],
  [
    'AWS in China',
    { ...aws, region: 'cn-north-1' },
    'https://states.s3.cn-north-1.amazonaws.com.cn/sluice/prod/',
    's3://states/sluice/prod',
  ],
  [
    'a bucket whose name has a dot',
    { ...aws, bucket: 'my.states' },
    'https://s3.eu-west-1.amazonaws.com/my.states/sluice/prod/',
    's3://my.states/sluice/prod',
  ],
  [
    'another service',
    minio,
    'https://minio.example.com:9000/s3/states/sluice/prod/',
    's3://states/sluice/prod (minio.example.com:9000)',
  ],
  [
    'another service that is asked by the name of the bucket',
    { ...minio, pathStyle: false },
    'https://states.minio.example.com:9000/s3/sluice/prod/',
    's3://states/sluice/prod (minio.example.com:9000)',
  ],
  ['no prefix', { ...aws, prefix: '' }, 'https://states.s3.eu-west-1.amazonaws.com/prod/', 's3://states/prod'],
  [
    'a prefix with slashes',
    { ...aws, prefix: '/a//b/' },
    'https://states.s3.eu-west-1.amazonaws.com/a/b/prod/',
    's3://states/a/b/prod',
  ],
])('the objects of a stack have their place, and its name: %s', (_, location, url, name) => {
  expect(placed(location)).toEqual([url, name]);
});

test.each([
  'minio',
  'ftp://minio.example.com',
  'https://me@minio.example.com',
  'https://minio.example.com/?a',
  'https://minio.example.com/#a',
])('an endpoint that is no plain URL is refused: %s', (endpoint) => {
  expect(() => placed({ ...aws, endpoint })).toThrow('must be an http or https URL, and must not contain credentials');
});

test('an endpoint with port 0 is refused', () => {
  expect(() => placed({ ...aws, endpoint: 'https://minio.example.com:0' })).toThrow('the S3 endpoint has port 0');
});
