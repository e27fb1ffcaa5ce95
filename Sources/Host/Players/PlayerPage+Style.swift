// How the player page looks. Its policy names this text by its hash, so a changed byte needs the new hash beside it; a
// test says which.

extension PlayerPage {
    static let styleHash = "kQNtckejveBxgPYfCk0FOXAmdbHRvi//WAlkeCEm1DQ="
    // Bars of one height above and below keep the frame in the middle of the window, whatever its form.
    static let style = """

        :root { color-scheme: dark; --bar: clamp(2.5rem, 10vh, 3.75rem); --soft: #b4b6bd; }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { margin: 0; background: #000; color: #f2f2f3; font: 1rem/1.4 system-ui, sans-serif; }
        #stage { position: fixed; inset: 0; display: grid; place-items: center; background: #000; cursor: pointer; }
        #frame { --room: 100vh; width: min(100vw, calc((var(--room) - 2 * var(--bar)) * 16 / 9)); aspect-ratio: 16 / 9; background: #111;
          cursor: auto; }
        #frame.upright { width: min(100vw, calc((var(--room) - 2 * var(--bar)) * 9 / 16)); aspect-ratio: 9 / 16; }
        /* What is left of a small screen beside the browser's own bars. */
        @supports (height: 1dvh) { #frame { --room: 100dvh; } }
        #frame iframe { width: 100%; height: 100%; border: 0; display: block; }
        #top, #bottom { position: fixed; left: 0; right: 0; height: var(--bar); display: flex; align-items: center;
          gap: .25rem; padding: 0 max(.5rem, env(safe-area-inset-left)); }
        #top { top: 0; }
        #bottom { bottom: 0; }
        h1 { flex: 1; margin: 0 .5rem; min-width: 0; font-size: 1.05rem; font-weight: 600; overflow: hidden;
          text-overflow: ellipsis; white-space: nowrap; }
        button, #watch, #instead { font: inherit; color: inherit; background: none; border: 0; border-radius: .4rem;
          min-width: 2.4rem; padding: .35rem .6rem; cursor: pointer; text-decoration: none; white-space: nowrap; }
        button:has(svg) { display: grid; place-items: center; }
        svg { width: 1.25rem; height: 1.25rem; fill: currentColor; stroke: currentColor; stroke-width: 2; }
        h2 { margin: 0 0 1rem; font-size: 1.3rem; overflow-wrap: anywhere; }
        button:hover, #watch:hover, #instead:hover { background: #2b2d31; }
        button:disabled { opacity: .35; cursor: default; }
        :focus-visible { outline: 2px solid #8ab4f8; outline-offset: -2px; }
        #state { flex: 1; margin: 0 .5rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
          color: var(--soft); }
        #notice { position: fixed; left: 50%; top: 50%; transform: translate(-50%, -50%); width: min(30rem, 90vw);
          padding: 1rem 1.25rem; background: #1d1f23; border: 1px solid #44474e; border-radius: .6rem; text-align: center; }
        #notice p { margin: 0 0 .75rem; }
        #instead { display: inline-block; background: #8ab4f8; color: #000; font-weight: 600; }
        #instead:hover { background: #aecbfa; }
        main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
        #why { color: var(--soft); }
        ol { margin: 0; padding: 0; list-style: none; counter-reset: place; }
        li { counter-increment: place; padding: .6rem .5rem .6rem 3rem; position: relative; border-radius: .4rem; }
        li::before { content: counter(place); position: absolute; left: .5rem; width: 2rem; text-align: right;
          color: var(--soft); font-variant-numeric: tabular-nums; }
        li[aria-current] { background: #26282d; }
        li a { display: block; color: #8ab4f8; text-decoration: none; overflow-wrap: anywhere; }
        li a:hover { text-decoration: underline; }
        .playing li a { color: inherit; }
        .playing h2 { display: none; }
        small { color: var(--soft); }
        .playing main { position: fixed; right: 0; top: var(--bar); bottom: var(--bar); width: min(26rem, 100vw); margin: 0;
          padding: .75rem; overflow-y: auto; background: #17181b; border-left: 1px solid #383b42; }
        @media (max-width: 34rem) {
          #watch span { display: none; }
          #watch { margin-left: auto; }
          #state { position: fixed; bottom: var(--bar); left: 0; right: 0; margin: 0; padding: .25rem 1rem; text-align: center;
            pointer-events: none; }
        }

        """
}
