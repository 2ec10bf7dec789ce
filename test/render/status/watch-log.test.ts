import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logJson, logText, type LogEntry } from '../../../src/render/status/watch-log.ts';
import { hostile } from '../hostile-text.ts';

const entry: LogEntry = {
  time: Date.UTC(2026, 2, 14, 12),
  level: 'info',
  event: 'applied',
  message: 'all of it was done',
  fields: { changes: 2, revision: '4f2d1c8', subject: 'shop: let the Dutch in', retry: undefined },
};

test('a person reads a line', () => {
  expect(logText(entry)).toBe(
    '2026-03-14T12:00:00.000Z INFO  applied: all of it was done changes=2 revision=4f2d1c8 subject="shop: let the Dutch in"\n',
  );
});

test('a program reads an object on a line', () => {
  expect(JSON.parse(logJson(entry))).toEqual({
    time: '2026-03-14T12:00:00.000Z',
    level: 'info',
    event: 'applied',
    message: 'all of it was done',
    changes: 2,
    revision: '4f2d1c8',
    subject: 'shop: let the Dutch in',
  });
});

test('no field stands in for the time, level or event of a line', () => {
  const line = logJson({ ...entry, fields: { level: 'debug', time: 'never', event: 'nothing' } });
  expect(JSON.parse(line)).toMatchObject({ level: 'info', time: '2026-03-14T12:00:00.000Z', event: 'applied' });
});

test('whatever texts hold, one entry is one line without anything that acts on a terminal', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (message, event, field) => {
      for (const line of [logText, logJson].map((form) => form({ ...entry, message, event, fields: { field } }))) {
        expect(line.endsWith('\n')).toBe(true);
        expect(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.exec(line.slice(0, -1))).toBeNull();
      }
    }),
  );
});
