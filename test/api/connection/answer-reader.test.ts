import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { AnswerReader } from '../../../src/api/connection/answer-reader.ts';

/** A reader of up to ten bytes, with what the connection is sent. */
function reading(): { reader: AnswerReader; connection: Dispatcher.DispatchController; aborts: readonly string[] } {
  const aborts: string[] = [];
  const connection = { abort: (reason: Error) => void aborts.push(reason.message) };
  return { reader: new AnswerReader(10), connection: connection as never, aborts };
}

const late = new Error('too late');

describe('a request', () => {
  test('that is given up before it begins is aborted when it begins, with the first reason', () => {
    const { reader, connection, aborts } = reading();
    reader.giveUp(late);
    reader.giveUp(new Error('interrupted'));
    reader.onRequestStart(connection);
    expect([aborts, reader.reason]).toEqual([['too late'], late]);
  });

  test('that is not given up is not aborted', () => {
    const { reader, connection, aborts } = reading();
    reader.onRequestStart(connection);
    expect([aborts, reader.reason]).toEqual([[], undefined]);
  });

  test('that is given up has no answer, even if the head had arrived', async () => {
    const { reader, connection, aborts } = reading();
    reader.onRequestStart(connection);
    reader.onResponseStart(connection, 200, {});
    reader.giveUp(late);
    reader.onResponseError(connection, late);
    expect(aborts).toEqual(['too late']);
    await expect(reader.answer).rejects.toBe(late);
  });
});

describe('an answer', () => {
  /** What is read of an answer with these pieces. */
  async function read(pieces: readonly string[], headers = {}, end?: Error) {
    const { reader, connection, aborts } = reading();
    reader.onRequestStart(connection);
    reader.onResponseStart(connection, 103, { link: 'early' });
    reader.onResponseStart(connection, 200, headers);
    for (const piece of pieces) reader.onResponseData(connection, Buffer.from(piece, 'latin1'));
    if (end === undefined) reader.onResponseEnd();
    else reader.onResponseError(connection, end);
    return { ...(await reader.answer), aborts };
  }

  test.each([
    ['nothing', [], ''],
    ['one piece', ['0123456789'], '0123456789'],
    ['a letter in two pieces', ['\xc3', '\xa9!'], 'é!'],
  ])('of %s is read whole', async (_, pieces, text) => {
    const headers = { 'content-encoding': 'identity' };
    expect(await read(pieces, headers)).toEqual({ status: 200, headers, body: { text }, aborts: [] });
  });

  test('is not read beyond the limit, and its connection is ended', async () => {
    const unread = 'the response body is larger than 10 bytes';
    expect(await read(['0123456789', 'a'])).toMatchObject({ body: { unread }, aborts: [unread] });
  });

  test('in an encoding that nobody asked for is not read', async () => {
    const unread = 'the response body has a content encoding that sluice did not request';
    expect(await read(['x'], { 'content-encoding': 'gzip' })).toMatchObject({ body: { unread }, aborts: [unread] });
  });

  test('that is not UTF-8, or is cut off, reports that', async () => {
    expect((await read(['\xff'])).body).toMatchObject({ unread: 'the response body is not UTF-8 text' });
    expect((await read(['x'], {}, late)).body).toEqual({ unread: 'the response body was truncated', cause: late });
  });

  test('is none where the connection fails before its head', async () => {
    const { reader, connection } = reading();
    reader.onResponseStart(connection, 100, {});
    reader.onResponseError(connection, late);
    await expect(reader.answer).rejects.toBe(late);
  });
});
