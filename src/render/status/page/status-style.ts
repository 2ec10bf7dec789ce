import { syncStatuses } from '../../../model/status/watch-status.ts';
/* Colours are told apart by lightness too, and never alone: every sync status has an icon, a word and a border of its own. */
const light = `
  --ground: #f6f7f8; --card: #ffffff; --ink: #1c2328; --quiet: #59636b; --line: #d9dee2; --soft: #eef1f3; --drifted: #7a4fa3;
  --drift-conflict: #a8328a; --well: #2a7148; --busy: #1d5fa0; --asks: #8a5800; --bad: #b3261e;
  --well-ground: #eef6f0; --busy-ground: #edf4fb; --asks-ground: #fdf5e4; --bad-ground: #fdf0ee; --quiet-ground: #f0f2f4;`;
const dark = `
  --ground: #111518; --card: #191f23; --ink: #e4e9ec; --quiet: #9ba7af; --line: #323b41; --soft: #222a2f; --drifted: #c4a0ea;
  --drift-conflict: #ee93d4; --well: #74c495; --busy: #84b9ee; --asks: #e6b457; --bad: #f5958b;
  --well-ground: #16241c; --busy-ground: #152230; --asks-ground: #2a2212; --bad-ground: #2d1a18; --quiet-ground: #1d2327;`;
const shared = `
  --link: var(--busy); --in-sync: var(--well); --applying: var(--busy); --out-of-sync: var(--busy); --failed: var(--bad);
  --blocked: var(--asks); --requires-approval: var(--asks); --requires-manual-apply: var(--asks); --waiting: var(--quiet);
  --unknown: var(--quiet);`;

const tones = ['well', 'busy', 'asks', 'bad', 'quiet'];

/** The one style of the status page. */
export const statusStyle = `
:root { color-scheme: light dark;${light}${shared} }
@media (prefers-color-scheme: dark) { :root {${dark} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
#page { max-width: 70rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; font: inherit; }
ul { list-style: none; }
h2 { font-size: 1.1rem; font-weight: 650; margin-bottom: .6rem; }
h3 { font-weight: 600; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.quiet, .caption, .facts, .revision, footer { color: var(--quiet); }
.sprite { position: absolute; width: 0; height: 0; }
.icon { width: 1em; height: 1em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; vertical-align: -.12em; }
${[...syncStatuses, ...tones].map((name) => `.icon.s-${name} { color: var(--${name}); }`).join('\n')}
#lost { position: sticky; top: 0; z-index: 1; padding: .6rem 1.25rem; background: var(--bad-ground); color: var(--bad); border-bottom: 1px solid var(--bad); text-align: center; }

header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.5rem; margin-bottom: 1rem; }
.brand .name { color: var(--quiet); margin-right: .35rem; }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; margin-left: .35rem; font-size: .85rem; color: var(--quiet); }
.revision { overflow-wrap: anywhere; display: flex; flex-wrap: wrap; gap: 0 1.2rem; }
.revision div { display: flex; flex-wrap: wrap; gap: 0 .4rem; } .revision dt::after { content: ":"; }

.verdict { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--line); border-radius: 10px; padding: 1.4rem 1.5rem 1.2rem; }
.verdict h1 { display: flex; align-items: baseline; gap: .8rem; font-size: clamp(1.5rem, 1rem + 2.4vw, 2.3rem); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; overflow-wrap: anywhere; }
.verdict h1 .icon { width: .85em; height: .85em; }
.verdict .detail { margin-top: .4rem; font-size: 1.05rem; overflow-wrap: anywhere; }
${tones.map((tone) => `.tone-${tone} { border-color: var(--${tone}); background: var(--${tone}-ground); }`).join('\n')}
.bar { display: block; width: 100%; height: .55rem; margin: 1.2rem 0 .6rem; border-radius: .3rem; }
${syncStatuses.map((name) => `.fill.s-${name} { fill: var(--${name}); }`).join('\n')}
.fill { stroke: var(--card); stroke-width: 1; vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; }

.answers { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 1rem 0 1.75rem; }
.answers section, .panel { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; }
.answers .wide { grid-column: 1 / -1; } .wide .conditions { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 1rem; }
.answers h3, .compared { font-size: .95rem; } .compared { margin: .4rem 0; }
.compared li { border-top: 1px solid var(--line); padding: .5rem 0 .1rem; overflow-wrap: anywhere; } .compared .sides { margin: .25rem 0 .4rem; } .compared .sides dd { font-weight: 500; }
.mark { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .55rem; margin-right: .3rem; font-size: .85rem; color: var(--quiet); }
.effect-public .mark, .effect-opened .mark, .effect-changed .mark, .effect-gone .mark { color: var(--bad); } .effect-restricted .mark { color: var(--well); } .effect-new .mark { color: var(--busy); }
.icon.s-outside { color: var(--quiet); }
.answers h2 { font-size: .9rem; font-weight: 500; color: var(--quiet); margin-bottom: .35rem; }
.answers > section > * + * { margin-top: .45rem; }
.conditions li { margin-bottom: .25rem; overflow-wrap: anywhere; }
.conditions li > p + p { font-size: .93rem; margin-top: 0; }
.cond { font-weight: 600; }
${tones.map((tone) => `.cond.${tone} { color: var(--${tone}); }`).join('\n')}
.cond.quiet { font-weight: 500; }
progress { display: block; width: 100%; height: .6rem; margin: .5rem 0; border: 0; border-radius: .3rem; background: var(--soft); accent-color: var(--busy); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--soft); }
progress::-webkit-progress-value { background: var(--busy); transition: width .4s ease; }
progress::-moz-progress-bar { background: var(--busy); }
pre.command { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.command { display: inline-block; max-width: 100%; background: var(--soft); border: 1px solid var(--line); border-radius: 5px; padding: .1rem .5rem; user-select: all; }

main > section { margin-bottom: 1.75rem; }
.panel { border-left: 6px solid var(--line); }
.panel.asks { border-left-color: var(--asks); } .panel.busy { border-left-color: var(--busy); } .panel.bad { border-left-color: var(--bad); }
.panel > * + article, .panel article + article { border-top: 1px solid var(--line); margin-top: .9rem; padding-top: .9rem; }
.panel > h2 + article { border-top: 0; margin-top: 0; padding-top: 0; }
article p { margin-top: .3rem; }
.panel .progress { margin: 0 0 .5rem 1.35rem; } .panel > .progress li { overflow-wrap: anywhere; } .panel.busy h3 { margin-top: .5rem; }
.choice + .choice { margin-top: .5rem; }
.changes li { padding: .45rem 0 .1rem; overflow-wrap: anywhere; }
.changes li + li { border-top: 1px dashed var(--line); margin-top: .35rem; }
.sign { display: inline-block; width: 1em; font-family: ui-monospace, monospace; font-weight: 700; }
.why, .hint, .outcomes p { color: var(--quiet); margin-left: 1.35rem; }
article > .hint { margin-left: 0; }
.hazard { margin-left: 1.35rem; color: var(--bad); }
.hazard b { font-size: .85em; letter-spacing: .02em; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: .6rem 0; }
.sides dt { color: var(--quiet); font-size: .9rem; }
.sides pre { border-left: 3px solid var(--line); padding: .2rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.sides div:first-child pre { border-left-color: var(--well); } .sides div:last-child pre { border-left-color: var(--drift-conflict); border-left-style: dashed; }
.failure h3, .diagnostic h3 { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; overflow-wrap: anywhere; }
.failure h3 .quiet, .diagnostic h3 .quiet { font-weight: 400; font-size: .85rem; }
.failure p, .diagnostic p { overflow-wrap: anywhere; }
.excerpt { margin-top: .4rem; padding: .5rem .75rem; background: var(--soft); border-radius: 6px; overflow-x: auto; overflow-wrap: normal; }

.graph { overflow: auto; max-height: 38rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .75rem; }
.graph svg { display: block; }
.caption { margin-top: .4rem; font-size: .9rem; }
.edge { fill: none; stroke: var(--line); stroke-width: 1.5; }
.edge.added { stroke: var(--well); stroke-width: 2.4; }
.edge.removed { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 5 4; }
.node text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.node .kind { font-size: 10.5px; fill: var(--quiet); }
.node .box, .node .under { fill: var(--card); stroke: var(--line); stroke-width: 1.2; }
.node[data-r^="r"] { cursor: pointer; }
.node.s-failed .box { stroke: var(--failed); stroke-width: 2.6; fill: var(--bad-ground); }
.node.s-drift-conflict .box { stroke: var(--drift-conflict); stroke-width: 2; stroke-dasharray: 9 3 2 3; }
.node.s-blocked .box, .node.s-requires-approval .box, .node.s-requires-manual-apply .box { stroke: var(--asks); stroke-width: 1.8; stroke-dasharray: 2 3; fill: var(--asks-ground); }
.node.s-waiting .box { stroke: var(--waiting); stroke-width: 1.4; stroke-dasharray: 2 3; }
.node.s-drifted .box { stroke: var(--drifted); stroke-width: 1.8; stroke-dasharray: 7 4; }
.node.s-applying .box { stroke: var(--applying); stroke-width: 2.4; fill: var(--busy-ground); }
.node.s-out-of-sync .box { stroke: var(--out-of-sync); stroke-width: 1.4; stroke-dasharray: 12 3; }
.node.s-unknown .box { stroke: var(--unknown); stroke-dasharray: 1 4; }

/* Public is not bad, but never overlooked: an open padlock, a word and a frame. */
.audience { margin-bottom: .6rem; }
.audience.public { border: 2px solid var(--asks); } .audience.public > summary { background: var(--asks-ground); }
.icon.s-public { color: var(--asks); } .icon.s-restricted { color: var(--well); } .icon.s-nobody { color: var(--quiet); }
.audience h3 { overflow-wrap: anywhere; }
.urls { border-top: 1px solid var(--line); }
.urls li { display: grid; grid-template-columns: minmax(0, 1.3fr) minmax(0, 1fr); gap: 0 1rem; padding: .3rem 1rem; }
.urls li + li { border-top: 1px solid var(--soft); }
.audience > p { padding: .4rem 1rem; }

details { border: 1px solid var(--line); background: var(--card); border-radius: 10px; margin-bottom: .6rem; }
summary { padding: .65rem 1rem; cursor: pointer; border-radius: 10px; overflow-wrap: anywhere; }
summary h3 { display: inline; }
summary::marker { color: var(--quiet); }
.counts { margin-left: .75rem; color: var(--quiet); font-size: .92rem; }
#filter, .approval .fields { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem 1rem; margin-bottom: .6rem; }
#filter label, .approval label { display: grid; font-size: .9rem; color: var(--quiet); min-width: 0; }
#filter label:first-child, .approval label { flex: 1 1 14rem; }
.approval { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.approval .fields { margin-top: .4rem; }
@media (scripting: none) { .approval { display: none; } }
input, select, button { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; max-width: 100%; min-width: 0; }
button { background: var(--soft); cursor: pointer; }
.primary, button.primary { display: inline-block; background: var(--link); color: var(--card); border: 1px solid var(--link); border-radius: 6px; padding: .35rem .9rem; font-weight: 600; text-decoration: none; cursor: pointer; }
button.primary:disabled { opacity: .6; cursor: wait; }
b.codes { color: var(--bad); font-size: .9em; }
.asked li { padding-left: 1.35rem; } .asked li > .icon { margin-left: -1.35rem; margin-right: .05rem; }
.asked .why { margin: 0 0 .3rem; font-size: .93rem; overflow-wrap: anywhere; }
.asked .why span { display: block; }
.once { white-space: nowrap; }
.panel > article + p { margin-top: .6rem; }
.covers .hazard { margin-left: 0; } .covers details { border: 0; margin: 0; background: none; } .covers summary { padding: 0; } .covers > div { grid-template-columns: 7rem minmax(0, 1fr); }
.covers { margin: .4rem 0 .8rem; } .covers > div:first-child { border-top: 1px solid var(--line); }
.group > .resources { margin: 0 1rem .6rem; } .group > .more { padding: 0 1rem .7rem; margin-top: 0; } .group h3 { display: inline; }
.legend a { color: inherit; text-decoration: none; } .legend a:hover, .legend a:focus-visible { text-decoration: underline; }
.verdict > div + .legend { margin-top: .6rem; }
.pager { display: flex; gap: 1.2rem; margin-top: .6rem; }
.more, .load { margin-top: .5rem; }
.facts-list > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.facts-list dt { color: var(--quiet); }
main > h1 { font-size: 1.5rem; font-weight: 650; margin: .4rem 0 1rem; overflow-wrap: anywhere; }
main > h1 ~ #part h2 { margin-top: 1.5rem; }
.resources { border: 1px solid var(--line); border-radius: 10px; background: var(--card); margin-top: .5rem; }
.resources:empty { display: none; }
.resource { display: grid; grid-template-columns: 12.5rem minmax(0, 1.5fr) minmax(0, 1.3fr) minmax(0, 1.2fr); gap: 0 1rem; align-items: baseline; padding: .4rem 1rem; }
.resource + .resource { border-top: 1px solid var(--soft); }
.resource .facts { grid-column: 4; text-align: right; font-size: .9rem; }
.resource .note { overflow-wrap: anywhere; } .resource .note.wide { grid-column: 3 / -1; } .resource .wide + .facts { display: none; } .resource .hazard { display: block; margin-left: 0; }
.sync-status { white-space: nowrap; }
${syncStatuses.map((name) => `.resource.s-${name} .sync-status { color: var(--${name}); }`).join('\n')}
${tones.map((name) => `.stack.t-${name} .sync-status { color: var(--${name}); }`).join('\n')}
.stack .address, .stack .facts { overflow-wrap: anywhere; }
.doing, .concerned, .todo { display: block; } .doing { color: var(--ink); }
.up { margin-bottom: .6rem; }
.what { font-weight: 600; }
details[data-part] > p, details[data-part] > ul { padding: 0 1rem .5rem; overflow-wrap: anywhere; }
.difference { margin: .3rem 0 .4rem 1.35rem; padding: .4rem .75rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.changes details { margin: .4rem 0 .4rem 1.35rem; } article > details { margin: .4rem 0; } article > details > p { padding: 0 1rem .6rem; } .ways { font-size: .85rem; color: var(--quiet); }
.plan { margin: 0 1rem 1rem; padding: .75rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9rem; }

@media (max-width: 46rem) {
  #page { padding: .75rem .75rem 2rem; }
  .answers { grid-template-columns: 1fr; gap: .6rem; }
  .primary, button.primary { width: 100%; text-align: center; padding: .6rem; }
  .verdict { padding: 1.1rem 1rem 1rem; }
  .sides, .urls li, .facts-list > div, .covers > div { grid-template-columns: 1fr; }
  .resource { grid-template-columns: 1fr auto; padding: .5rem .9rem; }
  .resource .address { grid-column: 1; grid-row: 1; }
  .resource .sync-status { grid-column: 2; grid-row: 1; }
  .resource .note, .resource .note.wide, .resource .facts { grid-column: 1 / -1; text-align: left; }
}
@media (prefers-reduced-motion: no-preference) {
  .panel h3.running .icon, .node.s-applying use, .verdict.tone-busy h1 .icon { animation: turn 2.4s linear infinite; transform-origin: center; transform-box: fill-box; }
  @keyframes turn { to { transform: rotate(1turn); } }
}
@media print { .graph { max-height: none; } #lost { display: none; } }
`;
