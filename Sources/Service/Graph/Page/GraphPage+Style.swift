extension GraphPage {
    /// The page's style, the same for every graph, so that its hash can be named in the content security policy.
    static let style = """

        :root {
          color-scheme: light dark;
          --page: light-dark(#f6f7f9, #14171c); --box: light-dark(#ffffff, #1d2229);
          --edge: light-dark(#b4bcc8, #49525f); --text: light-dark(#1a2029, #e6eaf0);
          --muted: light-dark(#5b6675, #98a3b3); --good: light-dark(#0a7d43, #45c783);
          --refresh: light-dark(#2f6fd0, #6aa5f5); --bad: light-dark(#c02a32, #ff7b80);
          --warn: light-dark(#95610a, #e5af4c); --good-box: light-dark(#ecf8f1, #182c23);
        }
        body { margin: 0; padding: 20px 24px; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
        header { position: sticky; top: 0; z-index: 1; padding: 4px 0; background: var(--page); }
        h1 { margin: 0 0 8px; font-size: 20px; }
        .badge { margin-left: 6px; padding: 2px 10px; border: 1.5px solid; border-radius: 11px; font-size: 14px; }
        .badge.fresh, .badge.idle { color: var(--good); }
        .badge.unkept { color: var(--muted); }
        .badge.stale, .badge.draining { color: var(--warn); }
        .badge.offline, .badge.empty, .badge.lost { color: var(--bad); }
        main > p { margin: 0 0 8px; color: var(--muted); }
        p.trouble, #lost { color: var(--bad); font-weight: 600; }
        #lost { margin: 0 0 8px; }
        body.lost main, body.lost footer { filter: grayscale(1); opacity: 0.4; }
        dl { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 12px 0 20px; }
        dt { color: var(--muted); font-size: 12px; }
        dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
        svg { display: block; max-width: none; font-size: 12px; font-variant-numeric: tabular-nums; }
        rect { fill: var(--box); stroke: var(--edge); }
        text { fill: var(--text); }
        .title { font-size: 14px; font-weight: 600; }
        .type, .setting, .beside, .role { fill: var(--muted); }
        .failure { fill: var(--bad); }
        .role { font-size: 11px; paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
        .line { fill: none; stroke: var(--edge); stroke-width: 1.2; }
        .head { fill: var(--edge); }
        .line.refreshed { stroke: var(--refresh); stroke-width: 1.8; stroke-dasharray: 5 4; }
        .line.failed { stroke: var(--bad); stroke-width: 1.8; stroke-dasharray: 2 3; }
        .line.answered { stroke: var(--good); stroke-width: 2.6; }
        .head.refreshed { fill: var(--refresh); } .head.failed { fill: var(--bad); } .head.answered { fill: var(--good); }
        .refreshed rect { stroke: var(--refresh); stroke-width: 1.6; stroke-dasharray: 5 4; }
        .failed rect { stroke: var(--bad); stroke-width: 1.6; stroke-dasharray: 2 3; }
        .answered rect { stroke: var(--good); stroke-width: 2.4; fill: var(--good-box); }
        footer { margin-top: 16px; color: var(--muted); font-size: 12px; }
        ul { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; padding: 0; list-style: none; }
        li::before { content: ""; display: inline-block; width: 24px; margin-right: 8px; vertical-align: middle; border-top: 2px solid; }
        li.answered::before { color: var(--good); border-top-width: 3px; }
        li.refreshed::before { color: var(--refresh); border-top-style: dashed; }
        li.failed::before { color: var(--bad); border-top-style: dotted; }

        """
}
