import * as z from 'zod';
import { kinds } from '../../kinds/index.ts';
import { listenSchema } from './listen-schema.ts';
import { notificationEvents } from './notification-events.ts';
import { credentialSource, durationSetting } from './setting-forms.ts';

const aKind = kinds.all[0]?.name ?? '';

const notify = z.strictObject({
  url: credentialSource
    .describe('Environment variable with the webhook URL, because the URL may be a secret.')
    .meta({ examples: [{ from_env: 'SLUICE_WEBHOOK_URL' }] }),
  format: z.enum(['generic', 'slack']).default('generic').describe('Format of the JSON that the webhook receives.'),
  secret: credentialSource
    .optional()
    .describe(
      'Environment variable with the secret that signs the webhook request (HMAC-SHA256); only for the format `generic`.',
    )
    .meta({ examples: [{ from_env: 'SLUICE_WEBHOOK_SECRET' }] }),
  on: z
    .array(z.enum(notificationEvents))
    .default([...notificationEvents])
    .describe('Events of the watch that the webhook receives.')
    .meta({ examples: [['failed', 'recovered']] }),
});

/** How `sluice watch` reconciles. */
export const watchSchema = z.strictObject({
  apply_on_change: z
    .boolean()
    .default(true)
    .describe('True: the watch applies changes of the manifests automatically.')
    .meta({ examples: [false] }),
  heal_drift: z
    .boolean()
    .default(false)
    .describe('True: the watch reverts changes that were made outside sluice (drift).')
    .meta({ examples: [true] }),
  prune: z
    .boolean()
    .default(false)
    .describe('True: the watch deletes resources whose manifest was removed.')
    .meta({ examples: [true] }),
  renew: z
    .boolean()
    .default(true)
    .describe('True: the watch replaces certificates before they expire.')
    .meta({ examples: [false] }),
  kinds: z
    .record(z.string(), z.enum(['report', 'heal']))
    .default({})
    .describe(
      'What the watch does about drift of the resources of a kind: `report` only reports it, `heal` reverts it. Overrides `heal_drift` for that kind.',
    )
    .meta({ examples: [{ [aKind]: 'heal' }] }),
  interval: durationSetting
    .default('5m')
    .describe('How often the watch reads the whole account.')
    .meta({ examples: ['5m', '1h'] }),
  debounce: durationSetting
    .default('1s')
    .describe('How long the files must be unchanged before the watch reads them.')
    .meta({ examples: ['1s', '5s'] }),
  scan_interval: durationSetting
    .default('10s')
    .describe('How often the watch scans all files for changes, in addition to file events.')
    .meta({ examples: ['10s', '1m'] }),
  poll: z
    .boolean()
    .default(false)
    .describe('True: the watch finds changed files only by scans, not by file events.')
    .meta({ examples: [true] }),
  max_retry_delay: durationSetting
    .default('10m')
    .describe('Maximum delay before the watch retries after a failure.')
    .meta({ examples: ['10m'] }),
  listen: z
    .union([z.literal(false), listenSchema])
    .default('127.0.0.1:9470')
    .describe(
      'Address (host:port) on which the watch serves the status page, metrics and health probes; false: it serves none of them.',
    )
    .meta({ examples: ['127.0.0.1:9470', '0.0.0.0:9470', false] }),
  listen_probes: z
    .union([z.literal(false), listenSchema])
    .default(false)
    .describe(
      'Additional address (host:port) on which the watch serves only health probes; false: no additional address.',
    )
    .meta({ examples: ['0.0.0.0:9471', false] }),
  notify: z
    .array(notify)
    .default([])
    .describe('Webhooks to which the watch sends its events.')
    .meta({ examples: [[{ url: { from_env: 'SLUICE_WEBHOOK_URL' }, on: ['failed', 'recovered'] }]] }),
});
