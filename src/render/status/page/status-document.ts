import { createHash } from 'node:crypto';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { momentText, durationShort } from '../../text/ages.ts';
import { html, Html } from '../../text/html.ts';
import { iconSprite } from './status-icons.ts';
import { pageHeader } from './page-head.ts';
import { statusScript } from './status-script.ts';
import { statusStyle } from './status-style.ts';
import type { Tone } from '../status-causes.ts';
import { verdictOf } from '../status-verdict.ts';

/** A page to send: its text, what a browser may do with it, and an ETag that stays the same while only ages change. */
export interface StatusPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
  readonly etag: string;
}

const iconColours: Readonly<Record<Tone, string>> = {
  well: '2e7d4f',
  busy: '2563a8',
  asks: '9a6200',
  bad: 'b3261e',
  quiet: '6b7280',
};

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src '${hashOf(statusStyle)}'`,
  `script-src '${hashOf(statusScript)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What a document of the status server is about. */
export interface DocumentFacts extends Pick<WatchStatus, 'version' | 'startedAt' | 'now'> {
  readonly title: string;
  /** What the title is about. */
  readonly name: string;
  readonly tone: Tone;
  /** How often a script loads it again. */
  readonly pollMs: number;
  readonly header: Html;
  /** The text of the footer after the version and the age of the process. */
  readonly about: Html;
}

/** A document about one stack. */
export function statusDocument(status: WatchStatus, title: string, main: Html): StatusPage {
  return pageDocument(
    {
      ...status,
      title,
      name: status.stack.name,
      tone: verdictOf(status).tone,
      pollMs: status.applying === undefined ? 3000 : 1000,
      header: pageHeader(status),
      about: html`, stack id <code>${status.stack.id}</code>`,
    },
    main,
  );
}

/** A document of the status server: without external resources; it refreshes itself where scripts run. */
export function pageDocument(facts: DocumentFacts, main: Html): StatusPage {
  const { title, name, tone, pollMs, header, about, version, startedAt, now } = facts;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#${iconColours[tone]}'/></svg>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · ${name} · sluice</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}" />
        ${new Html(`<style>${statusStyle}</style>`)}
        <noscript><meta http-equiv="refresh" content="30" /></noscript>
      </head>
      <body data-poll="${pollMs}">
        ${iconSprite()}
        <div id="lost" role="alert" hidden>
          sluice does not respond. This page shows the status of <time data-age="ago"></time>.
        </div>
        <div id="page">
          ${header} ${main}
          <footer>
            <p>
              sluice ${version}, up for ${durationShort(now - startedAt)}${about}. As of
              <time datetime="${momentText(now)}" id="now">${momentText(now)}</time>. For programs:
              <a href="status.json">status.json</a>, <a href="metrics">metrics</a>.
            </p>
            <noscript>
              <p>
                Without JavaScript this page is reloaded every 30 seconds, ages are those of the last load, and long
                differences, plans and applies are pages of their own.
              </p>
            </noscript>
          </footer>
        </div>
        ${new Html(`<script>${statusScript}</script>`)}
      </body>
    </html> `;
  return { html: page.text, contentSecurityPolicy, etag: etagOf(page.text) };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Ages and the time do not count: the script updates them itself. */
function etagOf(page: string): string {
  const lasting = page
    .replace(/(<time [^>]* data-age="[a-z]+">)[^<]*/g, '$1')
    .replace(/, up for [^,]*,/, '')
    .replace(/<time [^>]* id="now">[^<]*/, '');
  return `"${createHash('sha256').update(lasting).digest('base64url').slice(0, 22)}"`;
}
