import type { WatchStatus } from '../model/watch-status.ts';
import { newsAbout, newsBetween, openNews, type News, type NewsEvent } from './news.ts';

const hour = 3_600_000;
const day = 24 * hour;

// What comes back within this time is not told again: it has been heard of.
const quietFor: Readonly<Record<NewsEvent, number>> = {
  failed: hour,
  recovered: 0,
  waiting: hour,
  drifted: day,
  fight: day,
};
const mostRemembered = 5_000;

/** What has been told already. */
export interface Told {
  /** What is to be told of a status at this moment: what is new, and once a day what is still open. */
  readonly toTell: (status: WatchStatus, now: number) => readonly News[];
}

/** Makes a memory of what was told, so that nothing is told twice and nothing open is forgotten. */
export function createTold(): Told {
  const last = new Map<string, number>();
  const failing = new Set<string>();
  let before: WatchStatus | undefined;
  let reminded = -Infinity;

  function remember(event: NewsEvent, subject: string, now: number): void {
    const key = `${event} ${subject}`;
    last.delete(key);
    last.set(key, now);
    if (event === 'failed') failing.add(subject);
    if (event === 'recovered') failing.delete(subject);
    for (const oldest of last.keys()) {
      if (last.size <= mostRemembered) break;
      last.delete(oldest);
    }
  }

  /** Without what was told a while ago, and without the recovery of what nobody heard fail. */
  function fresh(news: News, now: number): readonly News[] {
    const { event, items } = news;
    const left = items.filter(({ subject }) =>
      event === 'recovered'
        ? failing.has(subject)
        : now - (last.get(`${event} ${subject}`) ?? -Infinity) >= quietFor[event],
    );
    const rest = newsAbout(news, left);
    return rest === undefined ? [] : [rest];
  }

  return {
    toTell: (status, now) => {
      // What goes on is told by the one who leads.
      if (status.leader !== undefined) {
        before = undefined;
        failing.clear();
        return [];
      }
      const isDue = now - reminded >= day;
      const between = before === undefined ? [] : newsBetween(before, status);
      before = status;
      const told = [
        ...(isDue ? openNews(status) : []),
        ...between.filter(({ event }) => !isDue || !isOpen(event)).flatMap((news) => fresh(news, now)),
      ];
      for (const { event, items } of told) for (const { subject } of items) remember(event, subject, now);
      if (isDue || told.some(({ event }) => isOpen(event))) reminded = now;
      return told;
    },
  };
}

function isOpen(event: NewsEvent): boolean {
  return event === 'failed' || event === 'waiting';
}
