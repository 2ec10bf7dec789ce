import { expect, test } from 'vitest';
import { retryLog } from '../../../src/stack/service/retry-log.ts';

const wait = (path: string, ms: number) => ({ method: 'GET', path, ms, why: `GET ${path}: connect ECONNREFUSED` });

test('a service that has never responded is one line for all requests that wait, then one for each', () => {
  const lines: string[] = [];
  let time = 0;
  const log = retryLog({ now: () => time }, (line) => lines.push(line));
  for (const path of ['/a', '/b', '/c']) log.waiting(wait(path, 400));
  time = 500;
  for (const path of ['/a', '/b', '/c']) log.waiting(wait(path, 1500));
  expect(lines).toEqual(['GET /a: connect ECONNREFUSED; retry in 1 s', 'GET /a: connect ECONNREFUSED; retry in 2 s']);
  log.responded();
  for (const path of ['/b', '/c']) log.waiting(wait(path, 400));
  expect(lines).toHaveLength(4);
});
