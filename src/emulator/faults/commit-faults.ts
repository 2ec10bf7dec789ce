import type { Answer } from '../answer.ts';
import { badDetail, numberOf } from './detail.ts';
import { listKeyOf } from './list-faults.ts';
import type { Mode } from './fault.ts';

const lost: Answer = { status: 200, headers: {}, body: '', broken: { how: 'reset' } };

/** Done once the client has lost it: so many milliseconds later, or once so many lists of the family were answered. */
const lateCommit: Mode = (detail = '500') => {
  const afterLists = /^lists?(?:\+(\d{1,3}))?$/.exec(detail);
  if (afterLists === null) {
    if (/^list/.test(detail))
      throw badDetail(
        detail,
        '`list` (the write is done after the next list request) or `list+N` (the write is done after N list requests)',
      );
    const ms = numberOf(detail, 500);
    return (_, next) => {
      setTimeout(() => void next(), ms).unref();
      return lost;
    };
  }
  let waiting: { readonly family: string | undefined; lists: number; readonly commit: () => unknown }[] = [];
  return {
    happen: ({ found }, next) => {
      waiting.push({ family: found?.target.family.name, lists: Number(afterLists[1] ?? 1), commit: () => next() });
      return lost;
    },
    observe: (exchange, answer) => {
      if (listKeyOf(exchange, answer) === undefined) return;
      const due = waiting.filter((one) => one.family === exchange.found?.target.family.name && (one.lists -= 1) === 0);
      waiting = waiting.filter((one) => !due.includes(one));
      for (const { commit } of due) commit();
    },
  };
};

/**
 * When and how often a request is carried out: `late-commit=500` does it that many milliseconds after the client lost
 * it, `late-commit=list` as soon as the next list of its family was read, `late-commit=list+2` the one after.
 */
export const commitFaults: Readonly<Record<string, Mode>> = {
  'executed-twice': () => async (_, next) => {
    const first = await next();
    const second = await next();
    return second.status < 400 && second.broken === undefined ? second : first;
  },
  'late-commit': lateCommit,
};
