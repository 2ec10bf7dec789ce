import { startProgram } from '../support/processes.ts';
import { badEnds, twoWriters, wrongDeeds } from './checks.ts';
import { quarters } from './health.ts';
import type { Scene } from './soak.ts';
import { stackNames } from './stack-files.ts';

/** Everything that was not as it should be, once all processes have ended. */
export async function verdict({ writer, service, pair, steady, lives, observed, isLong }: Scene): Promise<string[]> {
  const violations: string[] = [];
  for (const name of stackNames) violations.push(...(await leftToDo(writer.directory(name), service.url)));
  for await (const violation of badEnds(lives())) violations.push(violation);
  violations.push(
    ...wrongDeeds(service.deeds, writer.ledgers),
    ...twoWriters(service.deeds, pair.lives()),
    ...twoWriters(service.deeds, steady),
    ...service.openDoors,
    ...service.foreignChanges(),
    ...observed.unwell,
  );
  if (!isLong) return violations;
  for (const { key } of steady) {
    const { second, last } = quarters(observed.memory.get(key) ?? []);
    if (last > second * 1.1) violations.push(`${key} grew from ${second} to ${last} bytes`);
  }
  return violations;
}

/** What sluice itself would still change. */
async function leftToDo(directory: string, url: string): Promise<readonly string[]> {
  const env = { SLUICE_API_KEY: 'reader', SLUICE_BASE_URL: url };
  const { code, out, err } = await startProgram(directory, ['plan', '--detailed-exitcode'], env).ended;
  return code === 0 ? [] : [`plan of ${directory} ended with ${String(code)}: ${out}${err}`];
}
