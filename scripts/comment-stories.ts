// Writes the comment of ten pull requests, for people to judge: node scripts/run.mjs scripts/comment-stories.ts DIR
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/cli/run.ts';
import { createEmulator, type Emulator } from '../src/emulator/emulator.ts';

const key = 'key-of-the-stories';

const google = 'oauth: {provider: {google: {email_domains: [example.com]}}}';
const office = 'ip_restriction: {ip_policy_ids: [ipp_office]}';

// The front door of a small shop.
const shop = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: catalogue, match_type: path_prefix, match: /, backend: {backend_id: bkd_web}}
    - {name: admin, match_type: path_prefix, match: /admin, backend: {backend_id: bkd_admin}, ${google}, ${office}}
    - {name: orders, match_type: path_prefix, match: /orders, backend: {backend_id: bkd_orders}, ${google}}
    - {name: hooks, match_type: exact_path, match: /hooks/payments, backend: {backend_id: bkd_hooks}, webhook_verification: {provider: github, secret: {from_env: HOOK_SECRET}}}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: partners}
spec:
  hostports: [partners.example.com:443]
  routes:
    - {name: api, match_type: path_prefix, match: /, backend: {backend_id: bkd_partners}, ${google}}
---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: Sensors of the warehouse}
---
apiVersion: sluice/v1
kind: AgentIngress
metadata: {name: agents}
spec: {domain: agents.example.com, description: Agents of the warehouse}
`;

const publicPages = ['shop.example.com/*'];

/** One pull request. */
interface Story {
  readonly name: string;
  readonly after: string;
  readonly settings?: string;
  /** What somebody does in the account between the last apply and this plan. */
  readonly drift?: (account: Account) => Promise<void>;
  /** What was merged before this pull request, and never applied. */
  readonly merged?: string;
  readonly flags?: readonly string[];
}

interface Account {
  readonly idOf: (kind: string, match: string) => string;
  readonly patch: (path: string, body: object) => Promise<void>;
}

const status = `    - {name: status, match_type: path_prefix, match: /status, backend: {backend_id: bkd_status}}\n`;
const withStatus = shop.replace(
  '---\napiVersion: sluice/v1\nkind: ReservedAddr',
  `${status}---\napiVersion: sluice/v1\nkind: ReservedAddr`,
);
const disableSignIn: Story['drift'] = async ({ idOf, patch }) =>
  patch(`/edges/https/${idOf('HTTPSEdge', 'shop.example.com')}/routes/${idOf('HTTPSEdgeRoute', '/orders')}`, {
    oauth: { enabled: false, provider: { google: { email_domains: ['example.com'] } } },
  });

const stories: readonly Story[] = [
  { name: '01-new-public-route', after: withStatus },
  { name: '02-sign-in-removed', after: shop.replace(`bkd_orders}, ${google}`, 'bkd_orders}') },
  {
    name: '03-restricted',
    after: shop
      .replace('backend: {backend_id: bkd_partners}', `backend: {backend_id: bkd_partners}, ${office}`)
      .replace(`bkd_orders}, ${google}`, `bkd_orders}, ${google.replace('[example.com]', '[orders.example.com]')}`),
  },
  { name: '04-address-lost', after: shop.replace(/---\napiVersion: sluice\/v1\nkind: ReservedAddr[^-]*/, '') },
  {
    name: '05-replacement-with-interruption',
    after: shop
      .replace('metadata: {name: partners}', 'metadata: {name: partners-api}')
      .replace('domain: agents.example.com', 'domain: connect.example.com'),
  },
  {
    name: '06-drift-in-between',
    after: shop.replace('Sensors of the warehouse', 'Sensors of both warehouses'),
    drift: disableSignIn,
  },
  {
    name: '07-base-pending',
    after: withStatus
      .replace('bkd_status}', `bkd_status}, ${google}`)
      .replace('Sensors of the warehouse', 'Sensors of both warehouses'),
    merged: shop.replace('Sensors of the warehouse', 'Sensors of both warehouses'),
    drift: disableSignIn,
    flags: ['--base', 'main'],
  },
  {
    name: '08-blocked-by-policy',
    after: shop.replace(`bkd_admin}, ${google}, ${office}`, `bkd_admin}, ${office}`),
    settings: `policy: {block: [OPENS_ACCESS]}\naccess:\n  public: ["shop.example.com/*"]\n  rules:\n    - {name: admin, urls: ["shop.example.com/admin*"], require: [named_users]}\n`,
  },
  {
    name: '09-fork',
    after: withStatus.replace('HOOK_SECRET', 'NEW_HOOK_SECRET'),
    flags: ['--snapshot', '../snapshot.json'],
  },
  { name: '10-nothing-to-do', after: `# A comment that changes nothing.\n${shop}` },
];

const [folder = 'stories'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const story of stories) {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-story-'));
  try {
    writeFileSync(join(folder, `${story.name}.md`), await comment(story, dir));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What the comment says. */
async function comment(story: Story, dir: string): Promise<string> {
  const emulator = createEmulator({ apiKey: key, seed: 1 });
  const { url, close } = await emulator.listen();
  try {
    const stack = join(dir, 'edges');
    mkdirSync(join(stack, 'manifests'), { recursive: true });
    const env = { SLUICE_API_KEY: key, HOOK_SECRET: 'a secret of the shop', NEW_HOOK_SECRET: 'another' };
    const pipeline = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'example/edges',
      GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
      GITHUB_WORKSPACE: dir,
      GITHUB_RUN_ID: '4711',
    };
    const write = (text: string): void => {
      writeFileSync(join(stack, 'manifests/shop.yaml'), text);
      git(dir, 'add', '-A');
      git(dir, 'commit', '-q', '--allow-empty', '-m', 'a commit');
    };
    git(dir, 'init', '-q', '-b', 'main');
    writeFileSync(join(dir, '.gitignore'), '.sluice/\n');
    writeFileSync(
      join(stack, 'sluice.yaml'),
      `version: 1\nstack: {name: shop, id: 5c1e7a90}\nmanifests: [manifests]\napi: {base_url: "${url}", vendor: example}\n${story.settings ?? `access: {public: ${JSON.stringify(publicPages)}}\n`}`,
    );
    write(shop);
    const sluice = sluiceIn(stack);
    await sluice(['apply', '--auto-approve', '--allow', 'OPENS_ACCESS'], env);
    await sluice(['snapshot', '--out', '../snapshot.json'], { ...env, ...pipeline });
    if (story.merged !== undefined) write(story.merged);
    git(dir, 'checkout', '-q', '-b', 'change');
    write(story.after);
    await story.drift?.(accountOf(emulator));
    const asked = ['plan', '--format', 'markdown', '--platform', 'github', ...(story.flags ?? [])];
    return await sluice(asked, story.flags?.includes('--snapshot') === true ? pipeline : { ...env, ...pipeline });
  } finally {
    await close();
  }
}

function sluiceIn(cwd: string): (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<string> {
  return async (args, env) => {
    let out = '';
    const code = await run(
      args,
      {
        cwd,
        env,
        out: (text) => void (out += text),
        err: (text) => void process.stderr.write(text),
        stdin: () => Promise.resolve(Buffer.alloc(0)),
        terminal: { in: false, out: false, err: false },
        ask: () => Promise.resolve('no'),
        signal: new AbortController().signal,
      },
      '0.0.0',
    );
    if (![0, 3].includes(code)) throw new Error(`sluice ${args.join(' ')} ended with ${String(code)}`);
    return out;
  };
}

function accountOf(emulator: Emulator): Account {
  return {
    idOf: (kind, text) => {
      const found = emulator
        .snapshot()
        .resources.find((one) => one.kind === kind && JSON.stringify(one).includes(text));
      return String((found as { id?: string } | undefined)?.id);
    },
    patch: async (path, body) => {
      const { status: code, body: answer } = await emulator.handle({
        method: 'PATCH',
        path,
        headers: { authorization: `Bearer ${key}`, 'example-version': '2', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (code >= 300) throw new Error(`PATCH ${path}: ${String(code)} ${answer}`);
    },
  };
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', ...args], { cwd, stdio: 'pipe' });
}
