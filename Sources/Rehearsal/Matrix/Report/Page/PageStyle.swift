/// The page's style sheet. Colours are variables with a light and a dark value. The contrast of text is 4.5 or more.
enum PageStyle {
  static let frame: Markup = """
    :root {
      color-scheme: light dark;
      --ground: #ffffff; --pane: #f5f6f8; --ink: #16191d; --faint: #59616b; --line: #d5d9df; --link: #0b57c2;
      --red: #b3121d; --on-red: #ffffff; --red-ground: #fdecec; --good: #17692f;
      --network: #8a4600; --network-ground: #fff5e6; --store: #6b2fa8; --store-ground: #f7f0fe;
      --own: #1d5a7a; --own-ground: #ecf5fa; --mark: #0b57c2;
    }
    * { box-sizing: border-box; }
    html { scroll-padding: 3.2rem 1rem 1rem 15rem; }
    body {
      margin: 0; width: max-content; min-width: 100%; background: var(--ground); color: var(--ink);
      font: 13px/1.35 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
    }
    /* what is not the table stays where it is when the table is pushed aside */
    .pane { position: sticky; left: 0; width: 100vw; max-width: 100vw; padding: .5rem 1rem; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    [hidden] { display: none !important; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: 1rem; top: .3rem; z-index: 9; background: var(--ground); padding: .3rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--mark); outline-offset: -1px; }
    h1 { font-size: 1.5rem; margin: .3rem 0; }
    h2 { font-size: 1.05rem; margin: .2rem 0 .4rem; }
    h3 { font-size: 1rem; margin: 0; }
    p, dl, dd, ol, ul, pre { margin: 0; }
    pre { font: 12px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
    .nowrap { white-space: nowrap; }
    .badge { background: var(--red); color: var(--on-red); font-weight: 700; border-radius: 3px; padding: 0 .35em; white-space: nowrap; }
    .good { color: var(--good); }
    .count { font-size: 1.1rem; }
    .facts { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin-top: .3rem; }
    .facts dt { display: inline; color: var(--faint); }
    .facts dt::after { content: ":"; }
    .facts div, .facts dd { display: inline; overflow-wrap: anywhere; }
    .reds { background: var(--red-ground); border-block: 2px solid var(--red); }
    .reds ol { padding: 0; list-style: none; display: grid; gap: .5rem; }
    .reds pre { margin: .15rem 0 0; padding-left: .6rem; border-left: 3px solid var(--red); max-height: 16em; overflow: auto; }
    .reds a { font-weight: 600; }
    .by { color: var(--faint); }
    .controls { background: var(--pane); border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: center; }
    .reds + .controls { border-top: 0; }
    .controls label { font-weight: 600; }
    .filter input { font: inherit; padding: .25rem .5rem; width: 17rem; max-width: 60vw; border: 1px solid var(--faint); border-radius: 4px; background: var(--ground); color: inherit; }
    .key { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; color: var(--faint); }
    .key b { color: var(--ink); }
    .key b.badge { color: var(--on-red); }
    .flows { flex-basis: 100%; }
    .flows summary { cursor: pointer; font-weight: 600; width: max-content; }
    .flows dl { columns: 22rem; padding-top: .3rem; }
    .flows div { break-inside: avoid; }
    .flows dt { display: inline; font-weight: 600; }
    .flows dd { display: inline; color: var(--faint); }
    .tag { font: 700 10px/1.3 ui-monospace, "DejaVu Sans Mono", monospace; }
    .swatch { padding: 0 .3em; border-left: 3px solid; }
    .key .network, .network { color: var(--network); }
    .key .store, .store { color: var(--store); }
    .key .own, .own { color: var(--own); }
    #absent ul { padding-left: 1.2rem; }

    """

  static let table: Markup = """
    .matrix { border-collapse: separate; border-spacing: 0; table-layout: fixed; width: max(100vw, 14rem + var(--columns) * 7rem); }
    .matrix > * > tr > * { border: 0 solid var(--line); border-width: 0 1px 1px 0; vertical-align: top; text-align: left; padding: 0; }
    .matrix > tbody > tr > td { min-width: 6.1rem; height: 1px; background: var(--ground); }
    .matrix > tbody + tbody > tr:first-child > * { border-top: 2px solid var(--faint); }
    .matrix > thead > tr > th {
      position: sticky; top: 0; z-index: 2; background: var(--pane); padding: .4rem .45rem; border-bottom: 2px solid var(--faint);
      vertical-align: bottom;
    }
    .matrix > tbody > tr > th, .matrix > thead > tr > .corner { position: sticky; left: 0; width: 14rem; min-width: 14rem; max-width: 14rem; }
    .matrix > tbody > tr > th { z-index: 1; background: var(--pane); padding: .35rem .5rem .35rem 1rem; font-weight: 400; border-right: 2px solid var(--faint); overflow-wrap: anywhere; }
    .matrix > thead > tr > .corner { z-index: 3; padding-left: 1rem; border-right: 2px solid var(--faint); }
    .name { font-weight: 700; }
    .condition { float: right; margin-left: .4rem; font-size: 11px; border: 1px solid var(--faint); border-radius: 8px; padding: 0 .45em; }
    .summary { display: block; clear: both; font-size: 11.5px; color: var(--faint); }
    .matrix > tbody > tr > td > button {
      display: flex; flex-direction: column; gap: .2rem; width: 100%; height: 100%; padding: .35rem .45rem; margin: 0; border: 0;
      background: none; color: inherit; font: inherit; font-size: 12px; text-align: left; cursor: pointer;
    }
    .matrix > tbody > tr > td > button:hover { background: var(--pane); }
    .part { display: block; }
    .part + .part { border-top: 1px dashed var(--line); padding-top: .2rem; }
    .seen { overflow-wrap: anywhere; }
    .seen > * { font-weight: 600; }
    .seen > span { font-weight: 400; }
    .seen small { font-weight: 400; font-size: 11px; }
    .tags { color: var(--good); white-space: nowrap; }
    .tags .tag { font-style: normal; font-weight: 400; }
    .time { margin-top: auto; color: var(--faint); font-size: 11px; white-space: nowrap; }
    .differs { color: var(--ink); font-size: 13px; }
    .gone, .gone .tags { color: var(--faint); }
    .gone .tag { text-decoration: line-through; }
    td.red { box-shadow: inset 0 0 0 2px var(--red); }
    .matrix > tbody > tr > td.red, td.red > button:hover { background: var(--red-ground); }
    td.red .badge + .tags { color: var(--red); font-weight: 700; }
    .glimpse { display: block; font-size: 11px; overflow-wrap: anywhere; }
    .matrix > tbody > tr > td.absent, td.none { background: repeating-linear-gradient(135deg, transparent 0 5px, var(--pane) 5px 10px); }
    .matrix td:target { box-shadow: inset 0 0 0 4px var(--mark); }
    .off > * { opacity: .12; }
    body:has(#only-red:checked) .matrix > tbody > tr:not(.has-red) { display: none; }
    .panel {
      max-width: min(46rem, 94vw); max-height: 70vh; overflow: auto; padding: .8rem 1rem; border: 2px solid var(--mark); border-radius: 8px;
      background: var(--ground); color: var(--ink); box-shadow: 0 6px 30px #0006;
      inset: auto 1rem 1rem auto; margin: 0;
    }
    /* beside its square, where the browser can */
    @supports (position-area: bottom) {
      .panel { inset: auto; margin: 4px; position-area: bottom span-right; position-try-fallbacks: --left, --above, --above-left, --middle; }
      @position-try --left { position-area: bottom span-left; }
      @position-try --above { position-area: top span-right; }
      @position-try --above-left { position-area: top span-left; }
      @position-try --middle { position-area: none; inset: 0; margin: auto; }
    }
    .panel p { color: var(--faint); margin: .2rem 0 .5rem; }
    .panel table { border-collapse: collapse; margin-bottom: .6rem; }
    .panel th, .panel td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
    .panel td:last-child { white-space: normal; min-width: 14rem; padding-right: 0; }
    .panel > button { font: inherit; padding: .2rem .8rem; }

    """
}

extension PageStyle {
  /// Dark mode, small windows and paper.
  static let media: Markup = """
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14171b; --pane: #1e2228; --ink: #e8eaed; --faint: #a3abb5; --line: #363c45; --link: #8ab8ff;
        --red: #ff6b6b; --on-red: #1a0405; --red-ground: #3a1619; --good: #7ed492;
        --network: #ffb766; --network-ground: #33261a; --store: #d3a8ff; --store-ground: #2b2138;
        --own: #86cbee; --own-ground: #17303d; --mark: #8ab8ff;
      }
    }
    @media (max-width: 60rem) {
      html { scroll-padding-left: 10rem; }
      .matrix > tbody > tr > th, .matrix > thead > tr > .corner { width: 9rem; min-width: 9rem; max-width: 9rem; padding-left: .5rem; }
      .condition { float: none; margin-left: 0; display: table; }
      .summary { font-size: 11px; }
    }
    @media (max-width: 34rem) {
      html { scroll-padding-left: 7rem; }
      .matrix > tbody > tr > th, .matrix > thead > tr > .corner { width: 6.5rem; min-width: 6.5rem; max-width: 6.5rem; }
      .matrix .summary { display: none; }
    }
    @media print {
      @page { size: A3 landscape; margin: 10mm; }
      :root {
        --ground: #fff; --pane: #fff; --ink: #000; --faint: #444; --line: #999; --red: #b3121d; --on-red: #fff; --red-ground: #fff;
        --good: #17692f; --network: #8a4600; --store: #6b2fa8; --own: #1d5a7a;
      }
      html { print-color-adjust: exact; }
      body { width: auto; font-size: 10px; }
      .pane { position: static; width: auto; max-width: none; padding-inline: 0; }
      .filter, .controls label, .skip, .panel { display: none; }
      .reds pre { max-height: none; }
      .matrix > * > tr > * { position: static !important; }
      .matrix > tbody > tr > th, .matrix > thead > tr > .corner { width: 11rem; min-width: 0; max-width: none; }
      .matrix > tbody > tr > td { min-width: 0; height: auto; }
      .matrix > tbody > tr > td > button { font-size: 9px; padding: .2rem; }
      .glimpse, .time, .summary, .seen small { font-size: 8.5px; }
      .matrix > tbody > tr { break-inside: avoid; }
    }

    """
}
