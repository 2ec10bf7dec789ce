import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { AgentSetup } from '../../src/emulator/agents.ts';
import { fleet, wordsOf, type Fleet } from './fleet.ts';

const agents: readonly AgentSetup[] = [
  {
    region: 'eu',
    version: '3.4.0',
    available: '3.5.1',
    ip: '192.0.2.10',
    credential: 'cr_office',
    metadata: '{"site":"berlin"}',
    tunnels: [{ proto: 'https', hostport: 'shop.example.com:443' }],
  },
  {
    region: 'eu',
    version: '3.5.1',
    ip: '192.0.2.11',
    credential: 'cr_office',
    metadata: '{"site":"paris"}',
    tunnels: [{ proto: 'tcp', hostport: 'paris.example.com:2222' }],
  },
  { region: 'us', version: '3.4.0', ip: '192.0.2.12', credential: 'cr_shop', os: 'Windows Server 2022' },
  { region: 'us', version: '3.4.0', available: '3.5.1', updates: false, ip: '192.0.2.13', credential: 'cr_shop' },
];

test('docs/commands.md shows what its commands print', async () => {
  const written = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8');
  await expect(await replayed(written)).toMatchFileSnapshot('../../docs/commands.md');
});

/** The page with what its commands print now, run one after another. */
async function replayed(page: string): Promise<string> {
  const shop = await fleet(agents);
  const parts: string[] = [];
  for (const part of page.split(/(?<=^```console\n)|(?=^```$)/m)) {
    const commands = part.startsWith('$ ') ? part.split('\n').filter((line) => line.startsWith('$ ')) : [];
    const shown: string[] = [];
    for (const command of commands) shown.push(`${command}\n${await printed(shop, command.slice(2))}`);
    parts.push(commands.length === 0 ? part : shown.join('\n'));
  }
  return parts.join('');
}

/** What a terminal would show. Agents are back before the next command. */
async function printed({ sluice, clock }: Fleet, command: string): Promise<string> {
  let shown = '';
  const onto = (text: string): void => void (shown += text);
  await sluice(wordsOf(command), { out: onto, err: onto });
  await clock.sleep(60_000);
  return shown.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com');
}
