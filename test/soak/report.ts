import { leadsOf, logLine, oldestReason } from './checks.ts';
import { median, quarters } from './health.ts';
import type { Pair } from './kills.ts';
import { personsKey } from './service.ts';
import type { Scene } from './soak.ts';

/** Everything that a soak has counted. */
export interface Counted extends Scene {
  readonly seconds: number;
  readonly seed: number;
  readonly meddlings: number;
  readonly settledMs: number;
  readonly violations: readonly string[];
}

/** What happened, as a table. */
export function tableOf(counted: Counted): string {
  const { seconds, seed, writer, service, pair, steady, observed, violations } = counted;
  const { commits, deployments, mishaps, tornWrites, purges } = writer.counts;
  const own = service.deeds.filter(({ by }) => by !== personsKey && by !== 'others');
  const requests = service.emulator.count();
  const rows: [string, string][] = [
    ['length, seed', `${seconds} s, ${seed}`],
    ['commits, deployed', `${commits}, ${deployments}`],
    ['mishaps, torn writes, nearly empty', `${mishaps}, ${tornWrites}, ${purges}`],
    [
      'requests, failed',
      `${requests}, ${service.faults.count()} (${((100 * service.faults.count()) / requests).toFixed(1)} %)`,
    ],
    ['writes, deletions', `${own.length}, ${own.filter(({ isEnd }) => isEnd).length}`],
    ['oldest reason for a deletion', inSeconds(oldestReason(service.deeds, writer.ledgers))],
    ['changes by hand', String(counted.meddlings)],
    [
      'kills, ends, stops',
      (['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)
        .map((how) => pair.kills.filter((kill) => kill.how === how).length)
        .join(', '),
    ],
    [
      'processes, in containers',
      `${pair.lives().length + steady.length}, ${pair.lives().filter(({ isContained }) => isContained).length}`,
    ],
    ['leaders of the killed pair', String(leadsOf(pair.lives()).length)],
    ...takeovers(pair),
    [
      'applies',
      String(
        [...pair.lives(), ...steady].flatMap(({ lines }) => lines).filter((line) => logLine(line)?.event === 'apply')
          .length,
      ),
    ],
    ['health probes answered', String(observed.probes())],
    ['settled after', inSeconds(counted.settledMs)],
    ...steady.map(({ key }): [string, string] => {
      const { second, last } = quarters(observed.memory.get(key) ?? []);
      const growth = signed((100 * last) / second - 100);
      return [
        `memory of ${key}`,
        `${megabytes(second)} in the second quarter, ${megabytes(last)} in the last (${growth} %)`,
      ];
    }),
    ['violations', violations.length === 0 ? '0' : `${violations.length}; see ${counted.root}`],
  ];
  return rowsText(rows);
}

/** Named values as a table. */
export function rowsText(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** How long nobody led after a leader was killed or ended. */
function takeovers(pair: Pair): [string, string][] {
  const leads = leadsOf(pair.lives());
  const waits = pair.kills.flatMap(({ at, how, key }) => {
    const leader = leads.findLast((lead) => lead.at <= at)?.key;
    const next = leads.find((lead) => lead.at > at);
    const successor = pair.lives().find((life) => life.key === next?.key);
    const killed = pair.lives().find((life) => life.key === key);
    if (how === 'SIGSTOP' || leader !== key || next === undefined) return [];
    return [{ ms: next.at - at, isFar: killed?.isContained === true || successor?.isContained === true }];
  });
  return ([false, true] as const).flatMap((isFar): [string, string][] => {
    const own = waits.filter((wait) => wait.isFar === isFar).map(({ ms }) => ms);
    if (own.length === 0) return [];
    return [
      [
        `takeover ${isFar ? 'between containers' : 'on one machine'}`,
        `${inSeconds(median(own))} in the middle, ${inSeconds(Math.max(...own))} at most, of ${own.length}`,
      ],
    ];
  });
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function signed(percent: number): string {
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)}`;
}
