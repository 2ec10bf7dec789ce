import * as z from 'zod';
import { kinds } from '../../kinds/index.ts';
import { listenAddress, listenPattern } from '../../model/exposure/listen-pattern.ts';
import { credentialSource, durationSetting, setting } from './setting-forms.ts';

/** The events that operators can be notified of. */
export const notificationEvents = [
  'failed',
  'recovered',
  'drifted',
  'action-required',
  'drift-conflict',
  'exposed',
  'rule-broken',
] as const;

const aKind = kinds.all[0]?.name ?? '';

/** An address to serve at. The pattern is in the JSON Schema as well. */
const listenSchema = z
  .string()
  .regex(listenPattern, 'must be host:port, or false')
  .refine(
    (written) => !listenPattern.test(written) || listenAddress(written) !== undefined,
    'must have a port of at most 65535',
  );

const notify = z.strictObject({
  url: setting(credentialSource, 'Environment variable with the webhook URL, because the URL may be a secret.', {
    from_env: 'SLUICE_WEBHOOK_URL',
  }),
  format: setting(z.enum(['generic', 'slack']).default('generic'), 'Format of the JSON that the webhook receives.'),
  secret: setting(
    credentialSource.optional(),
    'Environment variable with the secret that signs the webhook request (HMAC-SHA256); only for the format `generic`.',
    { from_env: 'SLUICE_WEBHOOK_SECRET' },
  ),
  on: setting(
    z.array(z.enum(notificationEvents)).default([...notificationEvents]),
    'Events of the watch that the webhook receives.',
    ['failed', 'recovered'],
  ),
});

function ofKind(name: string) {
  return setting(
    z.enum(['report', 'heal']).exactOptional(),
    `What the watch does about drift of resources of kind ${name}.`,
  );
}

/** How `sluice watch` reconciles. */
export const watchSchema = z.strictObject({
  apply_on_change: setting(
    z.boolean().default(true),
    'True: the watch applies changes of the manifests automatically.',
    false,
  ),
  heal_drift: setting(
    z.boolean().default(false),
    'True: the watch reverts changes that were made outside sluice (drift).',
    true,
  ),
  prune: setting(z.boolean().default(false), 'True: the watch deletes resources whose manifest was removed.', true),
  renew: setting(z.boolean().default(true), 'True: the watch replaces certificates before they expire.', false),
  kinds: setting(
    z.strictObject(Object.fromEntries(kinds.all.map(({ name }) => [name, ofKind(name)]))).default({}),
    'What the watch does about drift of the resources of a kind: `report` only reports it, `heal` reverts it. Overrides `heal_drift` for that kind.',
    { [aKind]: 'heal' },
  ),
  interval: setting(durationSetting.default('5m'), 'How often the watch reads the whole account.', '5m', '1h'),
  debounce: setting(
    durationSetting.default('1s'),
    'How long the files must be unchanged before the watch reads them.',
    '1s',
    '5s',
  ),
  scan_interval: setting(
    durationSetting.default('10s'),
    'How often the watch scans all files for changes, in addition to file events.',
    '10s',
    '1m',
  ),
  poll: setting(
    z.boolean().default(false),
    'True: the watch finds changed files only by scans, not by file events.',
    true,
  ),
  max_retry_delay: setting(
    durationSetting.default('10m'),
    'Maximum delay before the watch retries after a failure.',
    '10m',
  ),
  listen: setting(
    z.union([z.literal(false), listenSchema]).default('127.0.0.1:9470'),
    'Address (host:port) of this machine on which the watch serves the status page, metrics and health probes; false: it serves none of them. Only `--listen` can set another address.',
    '127.0.0.1:9470',
    'localhost:8080',
    false,
  ),
  listen_probes: setting(
    z.union([z.literal(false), listenSchema]).default(false),
    'Additional address (host:port) on which the watch serves only health probes; false: no additional address.',
    '0.0.0.0:9471',
    false,
  ),
  notify: setting(z.array(notify).default([]), 'Webhooks to which the watch sends its events.', [
    { url: { from_env: 'SLUICE_WEBHOOK_URL' }, on: ['failed', 'recovered'] },
  ]),
});
