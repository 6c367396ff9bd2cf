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
