import type { Audience } from '../../model/exposure/exposed-urls.ts';
import { html, type Html } from '../text/html.ts';

/** An open padlock, a closed one, and a circle with a bar, each in a square of 16. */
export const audienceIcons: Readonly<Record<Audience, Html>> = {
  public: html`<path d="M3 7.5h10v6.5H3zM5.3 7.5V4.7a2.7 2.7 0 0 1 5.2-1" />`,
  restricted: html`<path d="M3 7.5h10v6.5H3zM5.3 7.5V4.7a2.7 2.7 0 0 1 5.4 0v2.8" />`,
  nobody: html`<path d="M8 1.7a6.3 6.3 0 1 1 0 12.6a6.3 6.3 0 1 1 0-12.6M3.6 3.6l8.8 8.8" />`,
};
