/*
 * At most so many connections at a time. An operation that has no answer in time ends its own connection: others go on
 * over theirs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { storeDeadline } from '../store-deadline.ts';
import { renewedAddress, type PostgresAddress } from './postgres-address.ts';
import { postgresConnection, type PostgresConnection, type Rows } from './postgres-connection.ts';
import { isConnectionLost } from './postgres-errors.ts';

/** Connections to a database that operations share. */
export interface PostgresPool {
  /** Runs statements as one message, over a connection that no other uses meanwhile. What only reads may be sent twice. */
  readonly run: (statements: string, deadlineMs: number, onlyReads: boolean) => Promise<Rows>;
  /** By which credentials connections are made now. */
  readonly address: () => PostgresAddress;
  /** All that connections were made with: an answer to an earlier one may come late. */
  readonly passwords: () => readonly string[];
  /** Reads the credentials again from their file, as these are refused; answers whether those of now are others. */
  readonly renew: (refused: PostgresAddress) => boolean;
  /** Ends all connections. What is under way has another second. */
  readonly end: () => Promise<void>;
}

/** Prepares connections to a database. None is made before the first operation. */
export function postgresPool(first: PostgresAddress, most: number, authorities?: readonly string[]): PostgresPool {
  let address = first;
  const passwords = new Set([first.password]);
  let hasEnded = false;
  let running = 0;
  const idle: PostgresConnection[] = [];
  const waiting: { readonly signal: AbortSignal; readonly begin: () => void }[] = [];
  const operations = new Map<AbortController, Promise<Rows>>();

  const connection = (): PostgresConnection => postgresConnection(address, authorities);

  async function carryOut(statements: string, signal: AbortSignal, onlyReads: boolean): Promise<Rows> {
    const aborted = new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason as Error));
    });
    await Promise.race([turn(signal), aborted]);
    try {
      const used = idleOne();
      try {
        return await over(used ?? connection());
      } catch (error) {
        // It may have been cut long ago, unnoticed until now.
        if (used === undefined || !onlyReads || signal.aborted || hasEnded || !isConnectionLost(error)) throw error;
        return await over(connection());
      }
    } finally {
      handOver();
    }

    async function over(mine: PostgresConnection): Promise<Rows> {
      try {
        const rows = await Promise.race([mine.send(statements), aborted]);
        if (hasEnded || mine.address !== address) mine.destroy();
        else idle.push(mine);
        return rows;
      } catch (error) {
        // The next error may be that the server has ended it.
        mine.destroy();
        throw error;
      }
    }
  }

  /** Waits until there may be a connection for it. */
  function turn(signal: AbortSignal): Promise<void> {
    if (running >= most) return new Promise((begin) => void waiting.push({ signal, begin }));
    running++;
    return Promise.resolve();
  }

  function handOver(): void {
    let next = waiting.shift();
    while (next?.signal.aborted === true) next = waiting.shift();
    if (next === undefined) running--;
    else next.begin();
  }

  function idleOne(): PostgresConnection | undefined {
    let one = idle.pop();
    while (one?.isOpen() === false) one = idle.pop();
    return one;
  }

  return {
    run: async (statements, deadlineMs, onlyReads) => {
      const operation = new AbortController();
      const inTime = storeDeadline(deadlineMs, () => operation.abort(new Error(`no response within ${deadlineMs} ms`)));
      const rows = carryOut(statements, operation.signal, onlyReads);
      operations.set(operation, rows);
      try {
        return await rows;
      } finally {
        inTime();
        operations.delete(operation);
      }
    },
    address: () => address,
    passwords: () => [...passwords],
    renew: (refused) => {
      const renewed = refused === address && !hasEnded ? renewedAddress(address) : undefined;
      if (renewed !== undefined) {
        address = renewed;
        passwords.add(renewed.password);
        for (const one of idle.splice(0)) one.destroy();
      }
      return refused !== address;
    },
    end: async () => {
      hasEnded = true;
      const goodbyes = idle.map((one) => one.end());
      const over = new AbortController();
      const second = delay(1_000, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([second, Promise.allSettled([...goodbyes, ...operations.values()])]);
      over.abort();
      for (const operation of operations.keys()) operation.abort(new Error('the state store is closed'));
      for (const one of idle.splice(0)) one.destroy();
    },
  };
}
