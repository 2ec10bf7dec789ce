import { html, type Html } from '../../text/html.ts';

/** An entry of a list of facts. */
export function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
