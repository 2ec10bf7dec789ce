import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import { fleet, wordsOf } from './fleet.ts';
import { directory, sluice } from './terminal.ts';

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

// From here on the page is about a stack, and about an account that a person has filled.
const aboutStacks = '## From an account to manifests';

test('docs/commands.md shows what its commands print', async () => {
  const written = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8');
  const [first = '', second = ''] = written.split(aboutStacks);
  const replays = [await replayed(first, await online()), await replayed(second, await grown())];
  await expect(replays.join(aboutStacks)).toMatchFileSnapshot('../../docs/commands.md');
});

/** A place to run the commands of the page in. */
interface Place {
  /** What a terminal would show of a command. */
  readonly run: (command: string) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
}

/** The page with what its commands print now, run one after another; files that it shows are written. */
async function replayed(page: string, { run, write }: Place): Promise<string> {
  const parts: string[] = [];
  for (const part of page.split(/(?<=^```console\n)|(?=^```$)/m)) {
    const [, file = '', text = ''] = /^```yaml (\S+)\n([^]*)$/m.exec(part) ?? [];
    if (file !== '') await write(file, text);
    const commands = part.startsWith('$ ') ? part.split('\n').filter((line) => line.startsWith('$ ')) : [];
    const shown: string[] = [];
    for (const command of commands) shown.push(`${command}\n${await run(command.slice(2))}`);
    parts.push(commands.length === 0 ? part : shown.join('\n'));
  }
  return parts.join('');
}

/** Agents, and no stack. They are back before the next command. */
async function online(): Promise<Place> {
  const shop = await fleet(agents);
  return {
    run: async (command) => {
      let shown = '';
      const onto = (text: string): void => void (shown += text);
      await shop.sluice(wordsOf(command), { out: onto, err: onto });
      await shop.clock.sleep(60_000);
      return withoutPort(shown);
    },
    write: () => Promise.reject(new Error('there is no stack to write into')),
  };
}

/** A new stack, and an account that a person has filled. */
async function grown(): Promise<Place> {
  const { emulator, clock, env } = await fleet([]);
  const dir = await directory({
    'sluice.yaml': 'version: 1\nstack: {name: company, id: 5c1e7a90}\nmanifests: [manifests]\n',
  });
  const make = async (path: string, body: object): Promise<string> => {
    const headers = { authorization: 'Bearer any', 'example-version': '2', 'content-type': 'application/json' };
    const made = await emulator.handle({ method: 'POST', path, headers, body: JSON.stringify(body) });
    await clock.sleep(1000);
    return (JSON.parse(made.body) as { id: string }).id;
  };
  const ca_pem = await readFile(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8');
  const authority = await make('/certificate_authorities', { ca_pem });
  const edge = await make('/edges/https', {
    hostports: ['shop.example.com:443'],
    description: 'Public shop',
    mutual_tls: { certificate_authority_ids: [authority] },
  });
  const backend = { backend_id: 'bkd_2abc' };
  await make(`/edges/https/${edge}/routes`, { match_type: 'path_prefix', match: '/', backend, compression: {} });
  const webhook_verification = { provider: 'github', secret: 'not shown' };
  await make(`/edges/https/${edge}/routes`, {
    match_type: 'path_prefix',
    match: '/hooks',
    backend,
    webhook_verification,
  });
  await make('/reserved_addrs', { region: 'eu', description: 'Old sensors' });
  const secret = { SHOP_EXAMPLE_COM_HOOKS_WEBHOOK_VERIFICATION_SECRET: 'not shown' };
  return {
    run: async (command) => {
      let shown = '';
      const onto = (text: string): void => void (shown += text);
      await sluice(dir, wordsOf(command).join(' '), { out: onto, err: onto, env: { ...env, ...secret } });
      return withoutPort(shown);
    },
    write: async (file, text) => {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), text);
    },
  };
}

function withoutPort(text: string): string {
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com');
}
