import { describe, expect, test } from 'vitest';
import { pipelineCommit, pipelineRunUrl, isPipeline } from '../../../src/stack/settings/pipeline-run-url.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const github = {
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'web/shop',
  GITHUB_RUN_ID: '7',
};
const azure = {
  SYSTEM_COLLECTIONURI: 'https://dev.example.com/web/',
  SYSTEM_TEAMPROJECT: 'shop',
  BUILD_BUILDID: '7',
};

test.each([
  { env: { CI: 'true' }, expected: true },
  { env: { CI: '1' }, expected: true },
  { env: { CI: '' }, expected: false },
  { env: { CI: 'false' }, expected: false },
  { env: { CI: 'False', BUILD_NUMBER: '7' }, expected: false },
  { env: { CI: '', TF_BUILD: 'True' }, expected: false },
  { env: { TF_BUILD: 'True' }, expected: true },
  { env: { CODEBUILD_BUILD_ID: 'shop:7' }, expected: true },
  { env: { TF_BUILD: '', BUILD_NUMBER: '' }, expected: false },
  { env: {}, expected: false },
])('an environment of $env is a pipeline: $expected', ({ env, expected }) => {
  expect(isPipeline(env)).toBe(expected);
});

describe('the address of the pipeline job', () => {
  test.each<{ what: string; env: Record<string, string>; url: string | undefined }>([
    { what: 'GitHub', env: github, url: 'https://git.example.com/web/shop/actions/runs/7' },
    { what: 'Azure', env: azure, url: 'https://dev.example.com/web/shop/_build/results?buildId=7' },
    { what: 'GitLab', env: { CI_JOB_URL: 'https://lab.example.com/7' }, url: 'https://lab.example.com/7' },
    { what: 'Jenkins', env: { BUILD_URL: 'http://jenkins/job/7/' }, url: 'http://jenkins/job/7/' },
    {
      what: 'Buildkite',
      env: { BUILDKITE_BUILD_URL: 'https://build.example.com/7' },
      url: 'https://build.example.com/7',
    },
    { what: 'a half-set GitHub', env: { ...github, GITHUB_RUN_ID: '' }, url: undefined },
    {
      what: 'a half-set Azure beside GitLab',
      env: { ...azure, BUILD_BUILDID: '', CI_JOB_URL: 'https://lab/7' },
      url: 'https://lab/7',
    },
    { what: 'what is no address', env: { CI_JOB_URL: 'javascript:alert(1)' }, url: undefined },
    { what: 'an address with a space', env: { CI_JOB_URL: 'https://lab.example.com/7 8' }, url: undefined },
    { what: 'nothing', env: {}, url: undefined },
  ])('of $what', ({ env, url }) => {
    expect(pipelineRunUrl(env)).toBe(url);
  });
});

test.each<{ env: Record<string, string>; found: string | undefined }>([
  { env: { GITHUB_SHA: commit }, found: commit },
  { env: { GITHUB_SHA: 'main', CIRCLE_SHA1: commit }, found: commit },
  { env: { GITHUB_SHA: '' }, found: undefined },
  { env: {}, found: undefined },
])('the commit of a pipeline with $env is $found', ({ env, found }) => {
  expect(pipelineCommit(env)).toBe(found);
});
